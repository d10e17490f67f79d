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

/**
 * FNV-1a of every other UTF-16 unit, and of those between them: neither has to wait for the other. Mixed so that the low bits are
 * as good as the others.
 */
function hashOf(text: string): number {
  let [even, odd] = [0x811c9dc5, text.length]
  const { length } = text
  for (let at = 0; at < length; at += 2) {
    even = Math.imul(even ^ text.charCodeAt(at), PRIME)
    if (at + 1 < length) odd = Math.imul(odd ^ text.charCodeAt(at + 1), PRIME)
  }
  const hash = Math.imul(even, 0x85ebca6b) ^ odd
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 0
}

const PRIME = 0x01000193
