import type { Learned } from '../../app/learned/learned.ts'
import { isObject, type Members, stringifyJson } from '../../base/formats/json.ts'
import type { Operation } from '../../contract/contract.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import type { ComparedExchange } from './compared-exchange.ts'
import { hasPersonal } from '../recordings/scrub.ts'
import { isVolatile, isWord } from './constant-values.ts'
import { quotedMembers, tellsValue, toldMembers } from './told-members.ts'
import { demandOf } from './value-demands.ts'

/** What a request has to be: a member that it must have, what the value of one must be, or no member besides those that are documented. */
type Demand =
  | { readonly kind: 'required'; readonly name: string }
  | { readonly kind: 'value'; readonly name: string; readonly keywords: Members }
  | { readonly kind: 'closed' }

/** How many requests without something tell that it may be missing. */
const LEAST_TAKEN = 2

/**
 * What the service demands of requests that its document does not say, as keywords of the schemas of their bodies. It is concluded from what
 * is wrong with a request that was refused, and with none that was taken; where several things may be the reason, from none.
 */
export function learnRefusals(compared: readonly ComparedExchange[], document: unknown): Learned['schemas'] {
  const byOperation = Map.groupBy(compared, ({ operation }) => operation)
  const found = [...byOperation].flatMap(([operation, all]): [string, Members][] => {
    if (!operation) return []
    const { taken, refused } = bodiesOf(all)
    const members = membersOf(document, operation)
    const demands = refused.flatMap(({ body, said }) => {
      const quoted = quotedMembers(said, body)
      const told = quoted.size > 0 ? quoted : toldMembers(said, [...members.names, ...Object.keys(body)])
      // If the error names no member, the values that were accepted may have the same form by chance.
      const isTold = (demand: Demand) =>
        (told.size === 0 && !(demand.kind === 'value' && 'pattern' in demand.keywords)) ||
        (demand.kind === 'closed' ? [...told].some((name) => !members.names.has(name)) : told.has(demand.name))
      const reasons = [...reasonsFor(body, { taken, said, told, ...members })].filter(isTold)
      if (reasons.length === 0) return refusedValue(body, { taken, said, told })
      return reasons.length === 1 ? reasons : []
    })
    const keywords = keywordsOf(demands, members.required)
    return Object.keys(keywords).length === 0 ? [] : [[`${operation.operationId} body`, keywords]]
  })
  return Object.fromEntries(found.map(([name, keywords]) => [name, { '': keywords }]))
}

/** The bodies that the service took, and those that it refused though a stand-in takes them, with what it said. */
function bodiesOf(all: readonly ComparedExchange[]) {
  const isRefused = ({ theirs, ours }: ComparedExchange) =>
    (theirs.status === 400 || theirs.status === 422) && ours.status < 400
  return {
    taken: all.flatMap(({ sent, theirs }) => (theirs.status < 400 && isObject(sent) ? [sent] : [])),
    refused: all
      .filter(isRefused)
      .flatMap(({ sent, theirs }) => (isObject(sent) ? [{ body: sent, said: theirs.json }] : [])),
  }
}

interface BodyMembers {
  readonly names: ReadonlySet<string>
  /** Of what the operation shows: these are no unknown ones, though they may not be changed. */
  readonly shown: ReadonlySet<string>
  readonly required: readonly string[]
}

function membersOf(document: unknown, operation: Operation): BodyMembers {
  const documented = readDocumented(document, operation)
  const { properties, required } = shapeOf(document, documented.input, 'any')
  const shown = documented.statuses
    .filter((status) => status.startsWith('2'))
    .flatMap((status) => [...shapeOf(document, documented.response(Number(status))?.schema, 'any').properties.keys()])
  return { names: new Set(properties.keys()), shown: new Set(shown), required: [...required] }
}

interface RefusedBody {
  readonly taken: readonly Members[]
  /** The error. */
  readonly said: unknown
  /** The members that it names. */
  readonly told: ReadonlySet<string>
}

function* reasonsFor(body: Members, { taken, said, told, names, shown }: RefusedBody & BodyMembers): Generator<Demand> {
  const [first] = taken
  const unknown = Object.keys(body).filter((name) => !names.has(name))
  // It may be one that cannot be changed, which is no matter of the others.
  if (!first || unknown.some((name) => shown.has(name))) return
  for (const name of Object.keys(first)) {
    const isKnown = taken.length >= LEAST_TAKEN || told.has(name)
    const isMissing = !Object.hasOwn(body, name) && taken.every((one) => Object.hasOwn(one, name))
    if (isKnown && isMissing) yield { kind: 'required', name }
  }
  for (const [name, value] of Object.entries(body)) {
    const others = taken.flatMap((one) => (Object.hasOwn(one, name) ? [one[name]] : []))
    const keywords = demandOf(value, others, said)
    if (keywords) yield { kind: 'value', name, keywords }
  }
  const isUnused = (one: Members) => Object.keys(one).every((name) => names.has(name))
  if (names.size > 0 && unknown.length > 0 && taken.every(isUnused)) yield { kind: 'closed' }
}

/** Words for what depends on the items that there are. */
const OF_STATE = /\b(?:exists?|already|unique|duplicated?|taken|in use|not found|unknown|no such|expired?)\b/i

/** Words for a value that is wrong; others are about the member, such as one that cannot be changed. */
const OF_VALUE = /\b(?:invalid|valid|malformed|unsupported|incorrect|illegal|wrong|(?:must|should) be)\b/i

/** Members whose values people choose. */
const CHOSEN = /name|title|label|text|comment|message|description|password|secret|token|key/i

/**
 * The one value that an error is about, where no form tells it from those that were taken: "invalid color: greenish". Empty where the
 * refusal may depend on the items that exist. Only a word of the kind that programs use goes into a profile.
 */
function refusedValue(body: Members, { taken, said, told }: RefusedBody): Demand[] {
  if (OF_STATE.test(stringifyJson(said))) return []
  const texts = Object.entries(body).flatMap(([name, held]) =>
    [held].flat().flatMap((value: unknown) => {
      const refused = { not: Array.isArray(held) ? { contains: { const: value } } : { const: value } }
      return typeof value === 'string' && value !== '' ? [{ name, value, keywords: refused }] : []
    }),
  )
  const named = texts.filter(({ value }) => tellsValue(said, value))
  const meant = OF_VALUE.test(stringifyJson(said)) ? texts.filter(({ name }) => told.has(name)) : []
  const [only, ...others] = named.length > 0 ? named : meant
  if (!only || others.length > 0 || taken.some((one) => [one[only.name]].flat().includes(only.value))) return []
  const { name, value, keywords } = only
  const isKept = isWord(value) && !CHOSEN.test(name) && !isVolatile(value, name) && !hasPersonal(value, name)
  return isKept ? [{ kind: 'value', name, keywords }] : []
}

function keywordsOf(demands: readonly Demand[], required: readonly string[]): Members {
  const needed = demands.flatMap((one) => (one.kind === 'required' ? [one.name] : []))
  const values = demands.filter((one) => one.kind === 'value')
  return {
    ...(needed.length > 0 && { required: [...new Set([...required, ...needed])] }),
    // Beside a reference, so that other operations stay as they are.
    ...(values.length > 0 && {
      allOf: distinct(values.map(({ name, keywords: one }) => ({ properties: { [name]: one } }))),
    }),
    ...(demands.some(({ kind }) => kind === 'closed') && { unevaluatedProperties: false }),
  }
}

function distinct(values: readonly Members[]): Members[] {
  return [...new Map(values.map((value) => [stringifyJson(value), value])).values()]
}
