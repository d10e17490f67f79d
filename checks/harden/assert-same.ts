import assert from 'node:assert/strict'

/** Compares JSON values; members that are undefined count as absent. @throws Error unless they are the same */
export function assertSame(actual: unknown, expected: unknown): void {
  assert.deepEqual(plain(actual), plain(expected))
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]))
}
