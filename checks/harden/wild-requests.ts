import { CONTROL, type Sample, SERVICE } from './samples.ts'
import { KEY_HEADER } from '../../test/support/tester.ts'

/** A request as bytes, a character for each. */
export interface WildRequest {
  readonly bytes: string
  /** Whether it is HTTP with a body of JSON, whatever that says. */
  readonly isWellFormed: boolean
  /** Whether the connection can be used again: nothing is wrong with the HTTP. */
  readonly isKept: boolean
}

type Chance = () => number

const SANDBOXES = Array.from({ length: 20 }, (_, number) => `fuzz-${number}`)

/**
 * Requests to the service and the control API, half of them malformed, that depend on the source of chance alone.
 *
 * @param sandboxes those that requests name
 */
export function createWildRequests(chance: Chance, sandboxes: readonly string[] = SANDBOXES): () => WildRequest {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)]!
  const is = (share: number) => chance() < share
  const context: Wilderness = { pick, is, chance, sandboxes }
  return () => {
    const sample = is(0.5) ? pick(SERVICE) : pick(CONTROL)
    const isWellFormed = is(0.5)
    const request = is(0.5) ? changed(sample, context) : sample
    const body = textOf(request.body)
    const headers = headersOf(sample, context)
    // A fault must not be armed in a sandbox whose requests are expected to get a response.
    const isBodyBroken = !isWellFormed && (is(0.4) || sample.sandbox !== undefined)
    if (isWellFormed || isBodyBroken) {
      const bytes = write(request, headers, isBodyBroken ? broken(body, context) : body)
      return { bytes, isWellFormed, isKept: true }
    }
    return { bytes: pick(MALFORMED)({ request, headers, body }, context), isWellFormed, isKept: false }
  }
}

interface Wilderness {
  readonly pick: <T>(values: readonly T[]) => T
  readonly is: (share: number) => boolean
  readonly chance: Chance
  readonly sandboxes: readonly string[]
}

const ODD: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 8.5, 2 ** 31, '@1e400@', '@-0@', '@9007199254740993@', '@9223372036854775808@'],
  ...['', ' ', '\0', '\ud800', '__proto__', 'a\r\nX-Injected: yes', 'x'.repeat(300), '%', '../..', '1', 'MON'],
  ...['2026-02-30T00:00:00Z', '2026-03-01T00:00:00.123456789+05:30', 'P1000Y', '-P1D', 'PT0S', 'Mars/Olympus'],
  ...[[], {}, [[]], [null], { constructor: { prototype: 1 } }],
]
const NAMES = ['__proto__', 'constructor', 'toString', '', ' ', 'id', 'name', 'title', 'x'.repeat(300), '\ud800']
const SEGMENTS = [
  '',
  '.',
  '..',
  '%2F',
  '%00',
  '%C3%A9',
  '%F0%9F%98%80',
  '__proto__',
  'constructor',
  '0',
  '-1',
  '7',
  'x'.repeat(300),
]
const PARAMETERS = [
  ...['limit=0', 'limit=-1', 'limit=abc', 'limit=2147483648', 'limit=5&limit=6', 'next=AAAA', 'next=', 'next=%00'],
  ...['directoryPath=..', 'directoryPath=%00', 'immediateChildren=1', 'sandbox=%20', 'offset=-1'],
  ...['from=-1', 'path=a', 'status=abc', 'colour=red', '__proto__=1', '=', '&&', 'since=yesterday'],
]
const HEADERS: readonly (readonly [string, string])[] = [
  [KEY_HEADER, ' '],
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/json; charset=latin1'],
  ['Content-Encoding', 'gzip'],
  ['Origin', 'http://evil.example'],
  ['Origin', 'null'],
  ['Accept', 'text/html'],
  ['If-Match', '"1"'],
  ['Last-Event-ID', 'x'],
  ['Authorization', 'Bearer x'],
  ['X-Mock-Sandbox', '../x'],
  ['Cookie', 'a=b; '.repeat(200)],
  ['Prefer', 'code=404'],
]

/** The same with another value, path or parameter. */
function changed(sample: Sample, wilderness: Wilderness): Sample {
  const { is, pick, chance } = wilderness
  let { path, body } = sample
  if (is(0.3)) path += (path.includes('?') ? '&' : '?') + pick(PARAMETERS)
  if (is(0.15)) {
    const segments = path.split('/')
    segments[1 + Math.floor(chance() * (segments.length - 1))] = pick(SEGMENTS)
    path = segments.join('/')
  }
  if (body !== undefined) body = mutated(body, wilderness)
  return { ...sample, path, body }
}

/** A JSON value with something odd somewhere. */
function mutated(value: unknown, wilderness: Wilderness): unknown {
  const { is, pick } = wilderness
  if (typeof value !== 'object' || value === null || is(0.1)) return pick(ODD)
  if (Array.isArray(value)) {
    if (value.length === 0 || is(0.2)) return [...(value as unknown[]), pick(ODD)]
    const at = Math.floor(wilderness.chance() * value.length)
    return value.map((item: unknown, index) => (index === at ? mutated(item, wilderness) : item))
  }
  const members = Object.entries(value)
  if (members.length === 0 || is(0.15)) return { ...value, [pick(NAMES)]: pick(ODD) }
  const [name] = pick(members)
  if (is(0.2)) return Object.fromEntries(members.filter(([other]) => other !== name))
  return Object.fromEntries(members.map(([other, held]) => [other, other === name ? mutated(held, wilderness) : held]))
}

/** Latin-1 text of UTF-8 bytes; a text in the form `@…@` becomes the bare token. */
function textOf(body: unknown): string {
  if (body === undefined) return ''
  return Buffer.from(JSON.stringify(body).replaceAll(/"@([^"]*)@"/g, '$1')).toString('latin1')
}

type Headers = readonly (readonly [string, string])[]

function headersOf({ sandbox }: Sample, { is, pick, sandboxes }: Wilderness): Headers {
  const name = sandbox ?? pick(sandboxes)
  const usual: Headers = [
    ['Host', 'localhost'],
    [KEY_HEADER, is(0.5) ? `key@${name}` : 'key'],
    ['Content-Type', 'application/json'],
    ...(sandbox !== undefined || is(0.5) ? [['X-Mock-Sandbox', name] as const] : []),
  ]
  if (sandbox !== undefined || !is(0.15)) return usual
  const odd = pick(HEADERS)
  return [...usual.filter(([other]) => other !== odd[0]), odd]
}

function write({ method, path }: Sample, headers: Headers, body: string): string {
  return writeHead(`${method} ${path} HTTP/1.1`, [...headers, ['Content-Length', String(body.length)]]) + body
}

function writeHead(line: string, headers: Headers): string {
  return `${[line, ...headers.map((pair) => pair.join(': '))].join('\r\n')}\r\n\r\n`
}

/** A body that is no JSON, or not the JSON it was. */
function broken(body: string, { pick, chance }: Wilderness): string {
  const at = Math.floor(chance() * body.length)
  const byte = String.fromCharCode(Math.floor(chance() * 256))
  return pick([
    () => body.slice(0, at),
    () => body.slice(0, at) + byte + body.slice(at + 1),
    () => body + body,
    () => '['.repeat(3000),
    () => '{"a":'.repeat(3000),
    () => `\xEF\xBB\xBF${body}`,
    () => '\xC3\x28\xFF',
    () => rubbish(chance),
  ])()
}

interface Parts {
  readonly request: Sample
  readonly headers: Headers
  readonly body: string
}

/** What no client should send. */
const MALFORMED: readonly ((parts: Parts, wilderness: Wilderness) => string)[] = [
  // Breaks off.
  (parts, { chance }) => whole(parts).slice(0, Math.floor(chance() * whole(parts).length)),
  // A byte is wrong, or there are more of them.
  (parts, { chance }) => wounded(whole(parts), chance),
  (parts, { chance }) => wounded(wounded(wounded(whole(parts), chance), chance), chance),
  (_, { chance }) => rubbish(chance),
  // The length is wrong.
  ({ request, headers, body }, { pick }) => {
    const lengths = ['0', '-1', 'abc', '1', '99999999999', `${body.length}, ${body.length}`, '0x10', '']
    return (
      writeHead(`${request.method} ${request.path} HTTP/1.1`, [...headers, ['Content-Length', pick(lengths)]]) + body
    )
  },
  ({ request, headers, body }) => write(request, [...headers, ['Transfer-Encoding', 'chunked']], body),
  ({ request, headers, body }, { pick }) => {
    const chunks = pick([`5\r\n${body}\r\n0\r\n\r\n`, 'zz\r\n', `-1\r\n${body}`, 'ffffffffff\r\n', '0\r\nA: b\r\n\r\n'])
    return (
      writeHead(`${request.method} ${request.path} HTTP/1.1`, [...headers, ['Transfer-Encoding', 'chunked']]) + chunks
    )
  },
  // The first line is wrong.
  ({ request, headers, body }, { pick }) => {
    const { method, path } = request
    const lines = [
      ...[`${method} ${path}`, `${method} ${path} HTTP/9.9`, `${method}  ${path} HTTP/1.1`, `${path} HTTP/1.1`],
      ...[`${method} http://[::${path} HTTP/1.1`, `${method} * HTTP/1.1`, `${method} /%zz${path} HTTP/1.1`],
      ...[`TRACE ${path} HTTP/1.1`, `CONNECT ${path} HTTP/1.1`, `HEAD ${path} HTTP/1.1`, `${method} ${path} HTTP/1.0`],
      ...[
        `${method} ${path}${'x'.repeat(20_000)} HTTP/1.1`,
        `${method} ${path}\0 HTTP/1.1`,
        `M-SEARCH ${path} HTTP/1.1`,
      ],
    ]
    return writeHead(pick(lines), [...headers, ['Content-Length', String(body.length)]]) + body
  },
  // The headers are wrong.
  ({ request, headers, body }, { pick }) => {
    const odd: Headers[] = [
      [['Host', 'evil.example']],
      [['', '']],
      [['A b', 'c']],
      [['A', '\0']],
      [['A', 'x'.repeat(70_000)]],
      Array.from({ length: 3000 }, (_, number) => [`A${number}`, 'b'] as const),
      [['Expect', '100-continue']],
      [['Expect', 'nothing']],
      [
        ['Upgrade', 'websocket'],
        ['Connection', 'Upgrade'],
      ],
      [[KEY_HEADER, 'other']],
    ]
    return write(request, [...headers, ...pick(odd)], body)
  },
  ({ request, headers, body }) => write(request, headers.slice(1), body),
]

function whole({ request, headers, body }: Parts): string {
  return write(request, headers, body)
}

function wounded(bytes: string, chance: Chance): string {
  const at = Math.floor(chance() * bytes.length)
  const byte = chance() < 0.3 ? '' : String.fromCharCode(Math.floor(chance() * 256))
  return bytes.slice(0, at) + byte + bytes.slice(at + (chance() < 0.5 ? 1 : 0))
}

function rubbish(chance: Chance): string {
  return Array.from({ length: Math.floor(chance() * 60) }, () => String.fromCharCode(Math.floor(chance() * 256))).join(
    '',
  )
}
