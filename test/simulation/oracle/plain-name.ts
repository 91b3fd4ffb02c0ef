/** What every life of the simulated engine is called in a plain name, and the installation itself. */
export const INSTALLATION = "simulation";

/**
 * An order's name as the rules know it: whatever the life in which its row was made is called, and of a pair's without
 * the moment of its making, of which there is but one.
 */
export function plainName(clientOrderId: string): string {
  return clientOrderId.replace(/^[a-z0-9]{10}-/, `${INSTALLATION}-`).replace(/(-p\d+[bs]\d*)-\w+$/, "$1");
}
