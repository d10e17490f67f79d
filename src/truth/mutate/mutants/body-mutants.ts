import type { Contract, Operation } from '../../../contract/contract.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { type Shape, shapeOf } from '../../../contract/schemas/shape.ts'
import { changeValue, type JsonChange } from '../../../base/formats/change-value.ts'
import { shown } from '../../../base/errors/problem.ts'
import { encodePointer, isObject, withNumbers } from '../../../base/formats/json.ts'
import { valueAt, decodePercent } from '../../../contract/pointer.ts'
import type { Mutant } from './mutant.ts'
import type { SeenExchange } from '../seen.ts'

/** A place of the successful responses of an operation. Elements of a list are one place. */
interface BodyPlace {
  readonly at: string
  readonly shape: Shape
  /** Whether the member that it is has to be there; undefined for what is no member. */
  readonly isRequired: boolean | undefined
  readonly values: readonly unknown[]
  /** What the client knows of the values. */
  readonly known: KnownTexts
}

/** Texts that no service changes as it likes. */
interface KnownTexts {
  /** The parts of the paths that were requested: among them the ids of resources. */
  readonly paths: ReadonlySet<string>
  /** The tokens of further pages. */
  readonly tokens: ReadonlySet<string>
  /** What clients sent to the operation. */
  readonly sent: readonly unknown[]
}

/** A change of a body, and what it is. */
interface PlannedChange extends Pick<Mutant, 'kind' | 'change' | 'usual' | 'changesData'> {
  readonly changes: readonly JsonChange[]
  /** What an id ends with. */
  readonly name: string
}

/** Changes of one operation; a schema may have thousands of members. */
const MAX_CHANGES = 300
const MAX_DEPTH = 8

/** What the contract allows, or forbids, besides what the tests received: for any operation that responds with JSON. */
export function bodyMutants(
  { operations, document }: Contract,
  seen: readonly SeenExchange[],
  withBreaking: boolean,
): Mutant[] {
  const known = {
    paths: new Set(seen.flatMap(({ url }) => (url.split('?', 1)[0] ?? '').split('/').map(decodePercent))),
    tokens: new Set(seen.flatMap(({ next }) => next ?? [])),
  }
  return operations.flatMap((operation) => {
    const received = seen.filter((one) => one.operationId === operation.operationId && isSuccess(one))
    const sent = received.flatMap((one) => (one.sent === undefined ? [] : [one.sent]))
    return received.length === 0
      ? []
      : mutantsOf(operation, document, { received, known: { ...known, sent }, withBreaking })
  })
}

function isSuccess({ status, json }: SeenExchange): boolean {
  return status >= 200 && status < 300 && json !== undefined
}

interface ReceivedBodies {
  readonly received: readonly SeenExchange[]
  readonly known: KnownTexts
  readonly withBreaking: boolean
}

function mutantsOf(
  operation: Operation,
  document: unknown,
  { received, known, withBreaking }: ReceivedBodies,
): Mutant[] {
  const { operationId } = operation
  const documented = readDocumented(document, operation)
  const isOrdered = received.some((one) => one.isOrdered)
  const places = [...Map.groupBy(received, ({ status }) => status)].flatMap(([status, ofStatus]) => {
    const schema = documented.response(status)?.schema
    const place = { at: '', shape: shapeOf(document, schema, 'any'), isRequired: undefined, known }
    return schema === undefined ? [] : [...placesIn(document, { ...place, values: ofStatus.map(({ json }) => json) })]
  })
  const planned = [...places.flatMap((place) => changesAt(place, isOrdered)), ...additions(places)]
  const names = new Set<string>()
  return planned
    .filter(({ kind, changes, name }) => {
      if (names.has(name) || (kind === 'breaking' && !withBreaking)) return false
      names.add(name)
      return fits(kind, changes, received, operation)
    })
    .slice(0, MAX_CHANGES)
    .map(({ changes, name, ...rest }) => ({
      ...rest,
      id: `${operationId} ${name}`,
      operationId,
      faults: [{ kind: 'changed-body', match: { operationId }, changes: [...changes] }],
    }))
}

/** Whether a change shows in what was received, and keeps to the contract unless it is to break it. */
function fits(
  kind: Mutant['kind'],
  changes: readonly JsonChange[],
  received: readonly SeenExchange[],
  operation: Operation,
): boolean {
  const bodies = received.map(({ status, json }) => ({ status, json, body: changes.reduce(changeValue, json) }))
  const changed = bodies.filter(({ json, body }) => json !== body)
  const isValid = changed.every(({ status, body }) => operation.acceptsResponse(status, withNumbers(body)))
  return changed.length > 0 && isValid === (kind !== 'breaking')
}

function* placesIn(document: unknown, place: BodyPlace, depth = 0): Generator<BodyPlace> {
  yield place
  const { at, shape, values } = place
  if (depth >= MAX_DEPTH) return
  const elements = values.flatMap((value) => (Array.isArray(value) ? (value as readonly unknown[]) : []))
  if (elements.length > 0) {
    const element = { at: `${at}/*`, shape: shapeOf(document, shape.items, 'any'), isRequired: undefined }
    yield* placesIn(document, { ...place, ...element, values: elements }, depth + 1)
  }
  const objects = values.filter(isObject)
  for (const [name, schema] of shape.properties) {
    const present = objects.filter((one) => Object.hasOwn(one, name)).map((one) => one[name])
    if (present.length === 0) continue
    const member = { at: `${at}/${encodePointer(name)}`, shape: shapeOf(document, schema, 'any'), values: present }
    yield* placesIn(document, { ...place, ...member, isRequired: shape.required.has(name) }, depth + 1)
  }
}

function changesAt(place: BodyPlace, isOrdered: boolean): PlannedChange[] {
  const { at, shape, isRequired, values, known } = place
  const usual = `${at === '' ? 'The body' : at} was ${shown(values[0])}.`
  const plan = (kind: Mutant['kind'], word: string, change: string, one: Omit<JsonChange, 'at'>): PlannedChange => ({
    kind,
    name: `${at} ${word}`.trim(),
    change: `${at === '' ? 'The body' : at} ${change}.`,
    usual,
    changesData: !SAME_DATA.has(one.op),
    changes: [{ at, ...one }],
  })
  const isList = values.some(Array.isArray)
  const isValue = values.some((value) => typeof value !== 'object')
  const allowed = shape.keywords.enum
  const to = Array.isArray(allowed) ? { to: allowed as unknown } : {}
  // A service that does not tell what it calls a resource, or what it was told of it, is not plausible.
  const isKept =
    values.some((value) => ['string', 'number'].includes(typeof value) && known.paths.has(String(value))) ||
    known.sent.some((body) => at !== '' && valueAt(body, at) !== undefined)
  const isToken = values.some((value) => typeof value === 'string' && known.tokens.has(value))
  const type = isList || !isValue ? 'text' : typeof values[0] === 'string' ? 7 : 'text'
  return [
    isRequired === false && !isKept && plan('allowed', 'absent', 'is absent, for it is optional', { op: 'remove' }),
    at !== '' && !isKept && plan('allowed', 'null', 'is null, as it may be', { op: 'replace', to: null }),
    isList && plan('allowed', 'empty', 'is an empty list', { op: 'replace', to: [] }),
    isList && plan('allowed', 'one', 'has one element', { op: 'first' }),
    isList && !isOrdered && plan('allowed', 'reversed', 'is in another order', { op: 'reverse' }),
    ...(isKept || isToken ? [] : extremes(place)).map(([word, change, to]) =>
      plan('allowed', word, change, { op: 'replace', to }),
    ),
    isToken && plan('allowed', 'longer', 'is a longer token', { op: 'lengthen' }),
    isToken && {
      ...plan('allowed', 'last-empty', 'is an empty text, as it may be', { op: 'fill', to: '' }),
      change: `On the last page, ${at} is an empty text, as it may be.`,
      usual: 'It is absent there, or null.',
    },
    plan('allowed', 'enlarged', 'is an integer that needs more than 53 bits', { op: 'enlarge' }),
    plan('allowed', 'zone', 'is the same instant with the offset +05:30', { op: 'zone' }),
    plan('allowed', 'precision', 'is the same instant with more digits of its second', { op: 'precision' }),
    isValue && plan('wrong', 'other', 'has another value', { op: 'other', ...to }),
    isRequired === true && plan('breaking', 'removed', 'is absent, although it is required', { op: 'remove' }),
    at !== '' && plan('breaking', 'retyped', `is ${shown(type)}, of another type`, { op: 'replace', to: type }),
    at !== '' && plan('breaking', 'nulled', 'is null, although it may not be', { op: 'replace', to: null }),
    ...beyond(place).map(([word, change, to]) => plan('breaking', word, change, { op: 'replace', to })),
    'to' in to && plan('breaking', 'unknown', 'has a value that is not listed', { op: 'replace', to: UNKNOWN }),
  ].filter((one) => one !== false)
}

const UNKNOWN = 'UNKNOWN_VALUE'

/** What an assertion about the data should not notice. */
const SAME_DATA: ReadonlySet<JsonChange['op']> = new Set(['reverse', 'zone', 'precision', 'lengthen', 'fill'])

/** Values of an enumeration that are tried at one place. */
const MAX_LISTED = 3
/** Characters. */
const LONGEST_TEXT = 10_000

/** Values that the schema allows and the tests did not see: of an enumeration, and at the bounds of texts and numbers. */
function extremes({ shape, values }: Pick<BodyPlace, 'shape' | 'values'>): (readonly [string, string, unknown])[] {
  const { enum: listed, const: only, format, pattern, minLength, maxLength } = shape.keywords
  if (Array.isArray(listed))
    return (listed as readonly unknown[])
      .filter((one) => one !== null && !values.includes(one))
      .slice(0, MAX_LISTED)
      .map((one) => [`listed-${String(one)}`, `is ${shown(one)}, which no test received`, one])
  const [first] = values
  if (only !== undefined) return []
  if (typeof first === 'string' && format === undefined && pattern === undefined) {
    const [least, most] = [minLength, maxLength].map((one) => (typeof one === 'number' ? one : undefined))
    const isBounded = most !== undefined && most <= LONGEST_TEXT
    return [
      ['shortest', `is as short as it may be`, 'x'.repeat(least ?? 0)],
      ...(isBounded ? [['longest', 'is as long as it may be', 'x'.repeat(most)] as const] : []),
      ...(shape.types.has('integer') || shape.types.has('number')
        ? [['number', 'is a number, as it may be', 7] as const]
        : []),
    ]
  }
  return typeof first === 'number'
    ? extremeNumbers(
        shape,
        values.filter((one) => typeof one === 'number'),
      )
    : []
}

function extremeNumbers(
  { keywords: { minimum, maximum }, types }: Shape,
  [first = 0, ...others]: readonly number[],
): (readonly [string, string, unknown])[] {
  const isWhole = [first, ...others].every(Number.isInteger)
  return [
    ...(typeof minimum === 'number' ? [['lowest', 'is as low as it may be', minimum] as const] : []),
    ...(typeof maximum === 'number' ? [['highest', 'is as high as it may be', maximum] as const] : []),
    ...(isWhole && types.has('number') ? [['fraction', 'has a fraction, as it may', first + 0.5] as const] : []),
    ...(types.has('string') ? [['text', 'is a text, as it may be', String(first)] as const] : []),
  ]
}

/** Values beyond the bounds of the schema, and of another format: what a wider schema would allow. */
function beyond({ shape, values }: BodyPlace): (readonly [string, string, unknown])[] {
  const { format, maxLength, maximum, exclusiveMaximum } = shape.keywords
  const [first] = values
  const most = [maximum, exclusiveMaximum].find((one) => typeof one === 'number')
  if (typeof first === 'number')
    return typeof most === 'number' ? [['higher', 'is higher than it may be', most + 1]] : []
  if (typeof first !== 'string') return []
  return [
    ...(typeof maxLength === 'number' && maxLength <= LONGEST_TEXT
      ? [['too-long', 'is longer than it may be', first.padEnd(maxLength + 1, 'x')] as const]
      : []),
    ...(typeof format === 'string' ? [['unformatted', `is not of the format ${format}`, 'x y'] as const] : []),
  ]
}

/** A member that clients do not know, in every open object: services add members without a new version. */
function additions(places: readonly BodyPlace[]): PlannedChange[] {
  const open = places.filter(({ shape, values }) => !shape.isClosed && values.some(isObject))
  const changes = open.map(({ at }) => ({ op: 'add', at: `${at}/${ADDED}`, to: 'new' }) as const)
  const change = `Objects have a member more, \`${ADDED}\`.`
  return changes.length === 0
    ? []
    : [{ kind: 'allowed', name: 'added', change, usual: 'They have the documented members.', changes }]
}

const ADDED = 'addedMember'
