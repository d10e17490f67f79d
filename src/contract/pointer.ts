/** The parts of a JSON pointer (RFC 6901). */
export function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** What a pointer points at; undefined when it is not there. */
export function valueAt(document: unknown, pointer: string): unknown {
  return partsOf(pointer).reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Readonly<Record<string, unknown>>)[part]
        : undefined,
    document,
  )
}

/** The pointer that a URI fragment holds. A percent sign that begins no escape stands for itself. */
export function pointerIn(fragment: string): string {
  if (!fragment.includes('%')) return fragment
  return fragment.split('/').map(decoded).join('/')
}

/** A pointer as a URI fragment. */
export function fragmentOf(pointer: string): string {
  return encodeURI(pointer).replaceAll('#', '%23')
}

/** The pointer of what the object at a pointer refers to, or of itself when it is no reference. */
export function locate(document: unknown, pointer: string): string {
  let at = pointer
  // A circle of references was refused before; the bound is for data that only looks like one.
  for (let steps = 0; steps < 100; steps++) {
    const held = valueAt(document, at)
    const reference = typeof held === 'object' && held !== null && '$ref' in held ? held.$ref : undefined
    if (typeof reference !== 'string' || !reference.startsWith('#')) return at
    at = pointerIn(reference.slice(1))
  }
  return at
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
