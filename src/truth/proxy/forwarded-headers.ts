/** Fields of one connection, whether `Connection` names them or not (RFC 9110, 7.6.1 and 11.7). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]

/**
 * The fields of a message that go on to the next connection, in their order and as they were written.
 *
 * @param raw names and values by turns
 * @param isDropped says of a lower-case name whether it is left out besides
 */
export function endToEnd(raw: readonly string[], isDropped: (name: string) => boolean = () => false): string[] {
  const dropped = new Set(HOP_BY_HOP)
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() !== 'connection') continue
    for (const name of raw[at + 1]?.split(',') ?? []) dropped.add(name.trim().toLowerCase())
  }
  const kept: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? ''
    const lower = name.toLowerCase()
    if (!dropped.has(lower) && !isDropped(lower)) kept.push(name, raw[at + 1] ?? '')
  }
  return kept
}

/** The values of a field, by its lower-case name, in one text; undefined where it is absent. */
export function fieldOf(raw: readonly string[], name: string): string | undefined {
  const values = raw.filter((_value, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name)
  return values.length === 0 ? undefined : values.join(', ')
}

/** The fields of a stand-in: those of a request are for the proxy, and in a response only its own say the truth about it. */
export function isMockField(name: string): boolean {
  return name.startsWith('x-mock-')
}

/** The trailers of a message that go on to the next connection. */
export function trailersOf(raw: readonly string[], isDropped?: (name: string) => boolean): [string, string][] {
  const kept = endToEnd(raw, isDropped)
  return kept.flatMap((name, at) => (at % 2 === 0 ? [[name, kept[at + 1] ?? ''] as [string, string]] : []))
}
