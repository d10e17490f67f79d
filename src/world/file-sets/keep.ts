/**
 * A value of a cache that is bounded in bytes, made when it is not there. The values used longest ago make room; the newest stays
 * whatever its size, for somebody is about to use it.
 */
export function keepWithin(
  most: number,
  kept: Map<string, Uint32Array>,
  name: string,
  make: () => Uint32Array,
): Uint32Array {
  const value = kept.get(name) ?? make()
  kept.delete(name)
  kept.set(name, value)
  let bytes = 0
  for (const one of kept.values()) bytes += one.byteLength
  for (const [eldest, { byteLength }] of kept) {
    if (bytes <= most || eldest === name) break
    kept.delete(eldest)
    bytes -= byteLength
  }
  return value
}
