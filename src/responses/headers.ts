import type { Maker } from '../values/maker.ts'
import { markedPlace } from './prism-operation.ts'

interface Headers {
  /** Undefined when there is no content. */
  readonly mediaType: string | undefined
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** What frames a message is the server's own. */
const FRAMING = [
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'trailer',
  'date',
]

/** Headers as they go out: those that Prism has no example for are made by their schemas, and those that no header can hold are left out. */
export function headersOf(chosen: Readonly<Record<string, unknown>>, maker: Maker): Headers {
  const pairs = Object.entries(chosen).map(([name, value]) => [name.toLowerCase(), value] as const)
  const mediaType = pairs.find(([name]) => name === 'content-type')?.[1]
  const headers = pairs.flatMap(([name, value]): [string, string][] => {
    if (FRAMING.includes(name) || !/^[!#$%&'*+.^_`|~\w-]{1,256}$/.test(name)) return []
    const text = textOf(value, maker)
    return text === undefined ? [] : [[name, text]]
  })
  return { mediaType: typeof mediaType === 'string' ? mediaType : undefined, headers: Object.fromEntries(headers) }
}

function textOf(value: unknown, maker: Maker): string | undefined {
  const place = markedPlace(value)
  const made = place === undefined ? value : maker.make(place, { examples: true, requiredOnly: false, turn: 0 })
  const parts: readonly unknown[] = Array.isArray(made) ? made : [made]
  if (!parts.every(isPlain)) return undefined
  const text = parts.map(String).join(', ')
  return /^[\t\x20-\x7e\x80-\xff]{0,8192}$/.test(text) ? text : undefined
}

function isPlain(value: unknown): value is string | number | bigint | boolean {
  return value !== null && value !== undefined && typeof value !== 'object'
}
