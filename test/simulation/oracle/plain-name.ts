/** The plain name of every life of the simulated engine, and of the installation itself. */
export const INSTALLATION = "simulation";

/**
 * Returns an order's name as the rules know it: in every life in which its row may be made, the same. A pair's name is
 * without the moment of the pair's making, of which there is but one.
 */
export function plainName(clientOrderId: string): string {
  return clientOrderId.replace(/^[a-z0-9]{10}-/, `${INSTALLATION}-`).replace(/(-p\d+[bs]\d*)-\w+$/, "$1");
}
