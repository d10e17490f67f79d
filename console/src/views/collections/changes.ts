/** Values that are edited: what changed, and how to say it in a request. */

type Members = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function splitPointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The pointer of a member of the value at a pointer. */
export function below(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The value at a pointer; undefined for none. */
export function valueAt(value: unknown, pointer: string): unknown {
  return splitPointer(pointer).reduce<unknown>(
    (held, name) =>
      typeof held === 'object' && held !== null && Object.hasOwn(held, name) ? (held as Members)[name] : undefined,
    value,
  )
}

/** A copy with another value at a pointer; undefined removes it. Objects on the way are made. */
export function withValueAt(value: unknown, pointer: string, next: unknown): unknown {
  return replaced(value, splitPointer(pointer), next)
}

function replaced(value: unknown, [name, ...rest]: readonly string[], next: unknown): unknown {
  if (name === undefined) return next
  if (Array.isArray(value)) {
    const copy = value as readonly unknown[]
    const at = Number(name)
    if (next === undefined && rest.length === 0) return copy.filter((_, index) => index !== at)
    return copy.with(at, replaced(copy[at], rest, next))
  }
  const members = isObject(value) ? value : {}
  const inner = replaced(members[name], rest, next)
  if (inner !== undefined) return { ...members, [name]: inner }
  const { [name]: _removed, ...others } = members
  return others
}

export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => isEqual(value, other[index]))
  if (!isObject(one) || !isObject(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  )
}

/** Stands for a change that a merge patch cannot make: a member that becomes null. */
const NO_PATCH = Symbol('no merge patch')

/** The JSON merge patch (RFC 7396) from one document to another; undefined where only the whole document says it. */
export function mergePatchOf(before: Members, after: Members): Members | undefined {
  const patch = patchOf(before, after)
  return patch === NO_PATCH ? undefined : patch
}

function patchOf(before: Members, after: Members): Members | typeof NO_PATCH {
  const patch: Record<string, unknown> = {}
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch[name] = null
  for (const [name, value] of Object.entries(after)) {
    const old = before[name]
    if (Object.hasOwn(before, name) && isEqual(old, value)) continue
    if (isObject(old) && isObject(value)) {
      const inner = patchOf(old, value)
      if (inner === NO_PATCH) return NO_PATCH
      patch[name] = inner
    } else if (hasNull(value)) return NO_PATCH
    else patch[name] = value
  }
  return patch
}

/** Whether a merge patch would remove something where the value says null. Lists are taken as they are. */
function hasNull(value: unknown): boolean {
  return value === null || (isObject(value) && Object.values(value).some(hasNull))
}

/** A value as a text for people: nothing for none, JSON for objects and lists. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : pretty(value)
}

/** JSON for people. Integers beyond 2^53 keep their digits. */
export function pretty(value: unknown): string {
  const write = (_name: string, inner: unknown) => (typeof inner === 'bigint' ? rawJson(inner.toString()) : inner)
  return value === undefined ? '' : JSON.stringify(value, write, 2)
}

/** Part of "JSON.parse source text access" (ES2026), which the compiler's library does not describe yet. */
function rawJson(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text)
}
