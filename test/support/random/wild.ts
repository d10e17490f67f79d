import fc from 'fast-check'
import { anyText } from './any-text.ts'
import { KEY_HEADER, SCHEDULES, SEARCH } from '../tester.ts'

/** A request as bytes: every text here has a character for each byte. */
export interface WildRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/** The ids that a wild update goes for; some of them should exist. */
export const WILD_IDS = [5000, 5001, 5006, 5007, 5008]

/** Mostly the one, seldom the other: what is wild all over is refused at the first gate, and the others see nothing. */
function mostly<T, U>(usual: fc.Arbitrary<T>, wild: fc.Arbitrary<U>, weight = 12): fc.Arbitrary<T | U> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: wild })
}

/** Texts that programs trip over. */
const AWKWARD = [
  '__proto__',
  'constructor',
  'toString',
  '',
  ' ',
  'a\0b',
  'a\r\nX-Injected: yes',
  '\uD800',
  'é',
  '😀',
  '\u202E',
  'a,b',
  '%',
  '%00',
  "'",
  '"',
  '../..',
  'x'.repeat(300),
]
const awkward = fc.oneof(fc.constantFrom(...AWKWARD), anyText({ maxLength: 12 }))
const awkwardText = awkward.map((text) => JSON.stringify(text))

const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1',
  '8.0',
  '8.5',
  '1e400',
  '-1e-400',
  '9007199254740993',
  '9223372036854775808',
  '1'.repeat(60),
]

/** JSON as text, so that it may hold what no value of JavaScript does: a key twice, `__proto__`, many digits. */
const anyJson = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false', ...NUMBERS),
    awkwardText,
    listOf(tie('value')),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(fc.oneof(awkwardText, oneOf('name', 'title', 'id')), tie('value')), { maxLength: 5 })
    .map((members) => `{${members.map((pair) => pair.join(':')).join(', ')}}`),
}))

function oneOf(...values: unknown[]): fc.Arbitrary<string> {
  return fc.constantFrom(...values.map((value) => JSON.stringify(value)))
}

function listOf(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(text, { maxLength: 3 }).map((texts) => `[${texts.join(',')}]`)
}

/** An object whose members are mostly right, sometimes missing, seldom anything, and seldom more than there should be. */
function nearly(shape: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> {
  const members = Object.entries(shape).map(([name, right]) =>
    mostly(right, fc.oneof(fc.constant(undefined), anyJson.value), 60).map((text) =>
      text === undefined ? [] : [`"${name}":${text}`],
    ),
  )
  const more = mostly(
    fc.constant([]),
    awkwardText.map((name) => [`${name}:1`]),
  )
  return fc.tuple(more, ...members).map((parts) => `{${parts.flat().join(',')}}`)
}

const field = mostly(oneOf('name', 'path', 'size', 'created', 'createdBy', 'fileType'), oneOf('nmae'))
const instant = mostly(
  oneOf('2026-03-01T00:00:00Z', '2026-03-01T00:00:00.123456789+05:30', null),
  oneOf('2026-02-30T00:00:00Z', ''),
)
const filter = nearly({
  field: oneOf('name', 'path', 'fileType'),
  operator: mostly(oneOf('LIKE', 'EQUALS', 'IN', 'IS_NULL'), oneOf('GREATER_THAN', 'like')),
  value: listOf(fc.oneof(awkwardText, oneOf('a%', '_', '12', '%%%%%%%%'))),
  not: oneOf(true, false),
})
const searchBody = nearly({
  filters: listOf(filter),
  dateFilters: listOf(nearly({ field: oneOf('created'), start: instant, end: instant, not: oneOf(true, false) })),
  fieldSort: listOf(nearly({ field, order: mostly(oneOf('ASC', 'DESC'), oneOf('asc')) })),
})
const scheduleBody = nearly({
  title: mostly(fc.oneof(oneOf('Weekly'), awkwardText), oneOf(' ')),
  pageId: fc.constantFrom('1', '100', '9007199254740993'),
  viewId: fc.constantFrom('1', '200', '9223372036854775807'),
  attachmentInclude: oneOf(true, false),
  schedule: nearly({
    frequency: oneOf('WEEKLY'),
    daysToRun: mostly(oneOf('MON', 'SUN'), oneOf('31', 'MON,WED')),
    hourOfDay: mostly(oneOf(0, 8, 23), oneOf(24)),
    minOfHour: mostly(oneOf(0, 30), oneOf(60)),
    timezone: mostly(oneOf('UTC', 'America/New_York'), oneOf('Mars/Olympus')),
    enabled: oneOf(true, false),
    additionalRecipients: listOf(nearly({ type: oneOf('USER'), value: oneOf('12', '7') })),
  }),
})

/** A few bytes short or wrong. */
function wounded(bytes: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(bytes, fc.nat(), fc.nat(255)).map(([whole, place, code]) => {
    const at = place % (whole.length + 1)
    return whole.slice(0, at) + (code < 32 ? '' : String.fromCharCode(code)) + whole.slice(at + 1)
  })
}

const rubbish = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom('', '[]', 'null', '{', '{}{}', '['.repeat(5000), '{"a":'.repeat(5000), '\xEF\xBB\xBF{}'),
)

function bodyAs(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const bytes = text.map((one) => Buffer.from(one).toString('latin1'))
  return mostly(bytes, fc.oneof(wounded(bytes), rubbish, bodyOfAnything), 6)
}

const bodyOfAnything = fc.oneof(anyJson.object, anyJson.value).map((text) => Buffer.from(text).toString('latin1'))

/** Percent-encoded as it should be, or not at all but for what would end the address. */
const segment = fc.oneof(
  awkward.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.string({ unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 8 }),
  fc.constantFrom('%', '%zz', '%C3', '%2F', '%252F', '%00', 'a+b'),
)
const parameter = mostly(
  fc.constantFrom('limit=1', 'limit=2147483647', 'immediateChildren=true', 'directoryPath=dir', 'next=', 'colour=red'),
  fc.oneof(
    fc.constantFrom(
      'limit=0',
      'limit=-5',
      'limit=abc',
      'immediateChildren=1',
      'directoryPath=%2E%2E',
      'directoryPath=%00',
      'next=AAAA',
    ),
    fc
      .tuple(fc.oneof(segment, fc.constantFrom('limit', 'next', 'directoryPath')), segment)
      .map((pair) => pair.join('=')),
  ),
  2,
)

interface Aim {
  readonly method: string
  readonly path: string
  readonly body: string
}

const elsewhere = fc.oneof(
  fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`),
  fc.constantFrom('*', 'http://localhost/api', 'http://[::', '//api', `${SCHEDULES}/`),
)
const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'M-SEARCH']

function aim(method: string, path: fc.Arbitrary<string>, body: fc.Arbitrary<string>): fc.Arbitrary<Aim> {
  return fc.record({
    method: mostly(fc.constant(method), fc.constantFrom(...METHODS)),
    path: mostly(path, elsewhere, 20),
    body: bodyAs(body),
  })
}

const anyAim = fc.oneof(
  aim(
    'POST',
    mostly(
      fc.constant(`${SEARCH}/tiny/files/search`),
      segment.map((id) => `${SEARCH}/${id}/files/search`),
    ),
    searchBody,
  ),
  aim('POST', fc.constant(SCHEDULES), scheduleBody),
  aim(
    'PUT',
    mostly(fc.constantFrom(...WILD_IDS.map(String)), segment).map((id) => `${SCHEDULES}/${id}`),
    scheduleBody,
  ),
)

type Header = readonly [string, string]

const USUAL: readonly Header[] = [
  ['Host', 'localhost'],
  [KEY_HEADER, 'key'],
  ['Content-Type', 'application/json'],
]
const TELLING: readonly Header[] = [
  [KEY_HEADER, 'reader'],
  [KEY_HEADER, ' '],
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/json; charset=latin1'],
  ['Content-Encoding', 'gzip'],
  ['Origin', 'http://localhost:5173'],
  ['Origin', 'null'],
  ['Access-Control-Request-Method', 'PUT'],
  ['If-Match', '"1"'],
  ['Host', 'evil.example'],
]
const NAMES = [
  'Origin',
  'Content-Type',
  'Accept',
  'Cookie',
  'If-Match',
  'Access-Control-Request-Headers',
  '__proto__',
  'Sec-Fetch-Site',
]
const headerText = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }))
    .map((code) => String.fromCharCode(code)),
  maxLength: 30,
})
const headers = fc
  .record({
    usual: mostly(fc.constant(USUAL), fc.subarray([...USUAL])),
    more: mostly(
      fc.constant([] as Header[]),
      fc.array(
        fc.oneof(fc.constantFrom(...TELLING), fc.tuple(fc.constantFrom(...NAMES), headerText) as fc.Arbitrary<Header>),
        {
          maxLength: 2,
        },
      ),
      5,
    ),
  })
  // What is said twice would mostly be refused for that alone.
  .map(({ usual, more }) => [...usual.filter(([name]) => !more.some(([other]) => other === name)), ...more])

/** Requests of every kind of wildness, of which about a third are in order. */
export const wildRequest: fc.Arbitrary<WildRequest> = fc
  .record({ aim: anyAim, query: mostly(fc.constant([]), fc.array(parameter, { maxLength: 3 }), 2), headers })
  .map(({ aim: { method, path, body }, query, headers: chosen }) => ({
    method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: chosen,
    body,
  }))
