/** A page does not know the addresses of its machine, so none is one of them. */
export function isIP(): number {
  return 0
}
