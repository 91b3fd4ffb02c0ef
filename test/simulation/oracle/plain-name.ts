/** An order's name as the rules know it: of a pair's without the moment of its making, of which there is but one. */
export function plainName(clientOrderId: string): string {
  return clientOrderId.replace(/(-p\d+[bs]\d*)-\w+$/, "$1");
}
