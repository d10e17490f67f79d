/** Whether a text was given before, lately; remembers it for the next time. */
export type Seen = (text: string) => boolean

/** Texts of different hashes that are remembered, at most. */
const PLACES = 4096

/**
 * Caches that admit a value when it is wanted a second time keep nothing of what is wanted once: such values would just outlive the
 * young generation of the garbage collector, where dropping them is cheap. Only hashes are kept, so two texts may be taken for one;
 * then a value is admitted early, which no response shows.
 */
export function createSeen(): Seen {
  const hashes = new Uint32Array(PLACES)
  return (text) => {
    const hash = hashOf(text)
    const place = hash % PLACES
    const isSeen = hashes[place] === hash
    hashes[place] = hash
    return isSeen
  }
}

/** FNV-1a of its UTF-16 units, mixed so that the low bits are as good as the others. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 0
}
