import { rememberingEach } from '../../../base/cache.ts'
import {
  allowsNull,
  alternativesOf,
  isOnlyTrue,
  type Shape,
  shapeOf,
  isNumeric,
} from '../../../contract/schemas/shape.ts'
import { asList, isObject, type Members } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'
import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import { asksForValue } from '../../../values/asked/asked-value.ts'
import { fittingShape } from '../../../values/complete-object.ts'
import { generateRequired } from '../../../values/generate-value.ts'
import { idLike } from '../../../values/new-values.ts'
import { namesCreator } from '../infer/people.ts'
import { kindMembers } from './said-members.ts'

interface Written {
  /** The schema of the body. */
  readonly input: unknown
  readonly key: number
  readonly now: number
  /** The setting of `collections.unsent`, which is asked where an optional member was not sent. */
  unsent(): BehaviourSettings['collections.unsent']
  /** Whether requests ask for related items, which are left out otherwise. */
  readonly asksForRelated: () => boolean
}

interface Completing extends Written {
  readonly document: unknown
  /** Whether members that cannot be null are shown too. */
  readonly showsAll: () => boolean
}

/** A member of an item, by the schemas of the response and of the request. */
interface UnsentMember {
  readonly name: string
  readonly schema: unknown
  readonly input: unknown
  /** Whether only the service can write it. */
  readonly isMade: boolean
  /** Whether it is in an object that only the service can write. */
  readonly isInMade?: boolean
}

/** How many levels of objects inside an item are completed. */
const DEEPEST = 4

/**
 * A written item with the members that its request left out, as services show them: with a default of either schema, as null, or empty.
 * Required members without either are left to be made up.
 */
export function withUnsent(document: unknown, schema: unknown, value: Members, written: Written): Members {
  const showsAll = () =>
    written.unsent() === 'all' || (written.unsent() === 'as-documented' && isObject(document) && writesAll(document))
  return complete({ ...written, document, showsAll }, { name: '', schema, input: written.input, isMade: false }, value)
}

function complete(
  run: Completing,
  { schema, input, ...outer }: UnsentMember,
  value: Members,
  levels = DEEPEST,
): Members {
  const { document } = run
  const isOne = alternativesOf(document, schema).length < 2
  const { properties, required } = isOne ? shapeOf(document, schema, 'any') : fittingShape(document, schema, value)
  const sent = shapeOf(document, input, 'any').properties
  const members = [...properties].flatMap(([name, member]): [string, unknown][] => {
    const held = value[name]
    // Inside an object that was sent, such as the attributes of JSON:API, only the service writes what is read-only.
    const isReadOnly = levels < DEEPEST && shapeOf(document, member).keywords.readOnly === true
    const isMade = isReadOnly || (levels === DEEPEST && sent.size > 0 && !sent.has(name))
    const isInMade = outer.isMade || outer.isInMade === true
    const described: UnsentMember = { name, schema: member, input: sent.get(name), isMade, isInMade }
    if (held !== undefined) {
      // An object that was sent gets what may be null, and nothing that is made up.
      const inner = isMade ? run : { ...run, showsAll: () => false }
      const usual = shapeOf(document, member).keywords.default
      return isToComplete(held, usual) && levels > 0 ? [[name, complete(inner, described, held, levels - 1)]] : []
    }
    const made = valueOf(run, described, required.has(name), levels)
    return made === undefined ? [] : [[name, made]]
  })
  return members.length === 0 ? value : { ...value, ...Object.fromEntries(members) }
}

/** Whether a value is an object to complete. A default says what is there: an empty one that nothing is. */
function isToComplete(value: unknown, usual: unknown): value is Members {
  return isObject(value) && !(isObject(usual) && Object.keys({ ...usual, ...value }).length === 0)
}

/** What a member is that was not sent; undefined where it is left out, or made up. */
function valueOf(run: Completing, described: UnsentMember, isRequired: boolean, levels: number): unknown {
  const { document } = run
  const { schema, input, isMade, isInMade } = described
  const shape = shapeOf(document, schema)
  const isNull = allowsNull(document, schema)
  // What may only be true marks some items, such as `deleted`, and no new one.
  const isMark = isOnlyTrue(shape.keywords)
  if (shape.keywords.writeOnly === true || (!isRequired && (isMark || run.unsent() === 'omit'))) return undefined
  const isServices = isRequired || isMade || shape.keywords.readOnly === true
  const isIssued = isServices && !isNull && shape.types.has('string') && ISSUED.test(plainName(described.name))
  if (isIssued) return issuedKey(run, described, shape.keywords)
  if (isServices && asksForValue(shape.keywords)) return plausible(run, described)
  const usual = shape.keywords.default ?? shapeOf(document, input).keywords.default
  if (usual !== undefined)
    return isToComplete(usual, usual) && levels > 0 ? complete(run, described, usual, levels - 1) : usual
  if (isRequired && (isNull || input === undefined)) return isNull ? null : undefined
  if (isRequired) return emptyOf(run, described, shape, levels)
  if (!isNull && !isMade && !run.showsAll()) return undefined
  // Authors who mark an enumeration as nullable mean null, though it has to be one of its values.
  if (!isNull && shape.types.has('null')) return undefined
  // Dictionaries and lists that may be null begin empty.
  const isHolder = shape.types.has('array') || (shape.types.has('object') && shape.properties.size === 0)
  if (isNull && !isHolder) return null
  if (refersOnly(document, schema)) return undefined
  if (run.asksForRelated() && isItems(document, schema)) return undefined
  // Pointers to other structs are nil in a new item, except the one to its creator.
  const isStruct = 'x-go-package' in shape.keywords && shape.properties.size > 0
  if (isStruct && !namesCreator(plainName(described.name))) return undefined
  // A number that cannot be 0 would be made up: services leave it out where the client may write it.
  const isNumber = isNumeric(shape)
  if (isNumber && !isMade && !isInMade && Number(shape.keywords.minimum ?? 0) > 0) return undefined
  // Only the client knows the day, the address or the id that it may write.
  const { format, readOnly } = shape.keywords
  const isClients = levels === DEEPEST && input !== undefined && format !== undefined && readOnly !== true
  const isEnd = format !== undefined && ENDED.test(plainName(described.name))
  const mayBeSet = isSet(shape) && !isEnd && !(isClients && shape.types.has('string'))
  return emptyOf(run, described, shape, levels) ?? (mayBeSet ? plausible(run, described) : undefined)
}

function emptyOf(run: Completing, described: UnsentMember, shape: Shape, levels: number): unknown {
  const { types, keywords, properties } = shape
  if (keywords.enum !== undefined || keywords.const !== undefined) return undefined
  if (types.has('array')) return Number(keywords.minItems ?? 0) > 0 ? undefined : []
  if (isNumeric({ types })) return Number(keywords.minimum ?? 0) > 0 ? undefined : 0
  if (properties.size > 0) return levels > 0 ? complete(run, described, {}, levels - 1) : undefined
  const isAnything = types.size === 0 && alternativesOf(run.document, described.schema).length === 0
  if (types.has('object') || isAnything) return {}
  const { format, pattern, minLength } = keywords
  const mayBeEmpty = format === undefined && pattern === undefined && minLength === undefined
  return types.has('string') && mayBeEmpty && !NEVER_EMPTY.test(plainName(described.name)) ? '' : undefined
}

/** Names of keys that a service issues, which are never empty. */
const ISSUED = /^(?:(?:api|access|client)?(?:token|secret)|(?:api|access)key|clientid)$/

/** Texts that are left out rather than empty: they are one of a known few, or name another item. */
const NEVER_EMPTY = /(?:locale|language|timezone|currency|country)(?:code)?$|(?<=..)(?:id|uuid)$/

/** Moments at which an item ends, which a new one has not reached: `finished_at`. */
const ENDED = /(?:finish|end|complet|delet|clos|cancel|archiv|resolv|stopp?|fail)(?:l?ed|d)?(?:at|on|time|date)$/

/** Whether an object says nothing but which other items an item belongs to, as the `relationships` of JSON:API do: without one it is not there. */
function refersOnly(document: unknown, schema: unknown, levels = 2): boolean {
  const { properties } = shapeOf(document, schema, 'any')
  if (properties.size === 2 && properties.has('type') && properties.has('id')) return true
  return (
    properties.size > 0 && levels > 0 && [...properties.values()].every((one) => refersOnly(document, one, levels - 1))
  )
}

/** Whether a member shows another item, or several. */
function isItems(document: unknown, schema: unknown): boolean {
  const { items, types } = shapeOf(document, schema)
  return shapeOf(document, types.has('array') ? items : schema, 'any').properties.has('id')
}

/** Whether a service sets a value by itself: one of an enumeration, or of a format. Another text would be made up. */
function isSet({ keywords, types }: Shape): boolean {
  return (
    keywords.enum !== undefined || keywords.const !== undefined || keywords.format !== undefined || !types.has('string')
  )
}

/** The first of an enumeration, a moment, an address. */
function plausible({ document, key, now }: Completing, { name, schema }: UnsentMember): unknown {
  const place = { document, schema, pointer: `/${name}`, name }
  return generateRequired(place, { key, now }, { invents: 'little', turn: 0 }) ?? undefined
}

/** A key that no other item has. */
function issuedKey(run: Completing, described: UnsentMember, keywords: Shape['keywords']): unknown {
  const [example = keywords.example] = asList(keywords.examples)
  return example === undefined ? plausible(run, described) : idLike(example, keywords, run.key)
}

/**
 * Whether a document says of any member that it may be null. Frameworks that say so, such as FastAPI and Django REST, write all members of
 * an item; those that do not leave out what was not set, as JavaScript and Jackson do. go-swagger names the package of a struct, whose
 * members all have a value in a new item.
 */
const writesAll = rememberingEach(({ components, definitions, paths }: Members): boolean => {
  const left: unknown[] = [paths, definitions, components]
  for (let count = 0; count < MOST_PARTS && left.length > 0; count++) {
    const part = left.pop()
    if (part === null || typeof part !== 'object') continue
    if (isObject(part) && ([part.type].flat().includes('null') || 'x-go-package' in part)) return true
    left.push(...(Object.values(part) as unknown[]))
  }
  return false
})

/** Some documents are large, and one that says it at all says it early. */
const MOST_PARTS = 30_000

/** With the defaults of the schema, and the kind that it is of, for members that were not sent, also in the objects that were. */
export function withDefaults(document: unknown, schema: unknown, value: unknown): unknown {
  const shape = shapeOf(document, schema, 'any')
  if (Array.isArray(value)) return value.map((one: unknown) => withDefaults(document, shape.items, one))
  if (!isObject(value)) return value
  const defaults = [...shape.properties].flatMap(([name, member]): [string, unknown][] => {
    const { default: byDefault } = shapeOf(document, member).keywords
    return byDefault === undefined || name in value ? [] : [[name, byDefault]]
  })
  const members = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const member = shape.properties.get(name)
    return [name, member === undefined ? inner : withDefaults(document, member, inner)]
  })
  return { ...kindMembers(shape), ...Object.fromEntries([...members, ...defaults]) }
}

/**
 * With the lists of parts that a new item requires and only the service makes, such as the `choices` of a completion. Lists of what has
 * an id of its own, such as comments, begin empty.
 *
 * @param sent the schema of the request
 */
export function withParts(
  document: unknown,
  schema: unknown,
  value: Members,
  { sent, ...made }: { readonly sent: unknown; readonly key: number; readonly now: number },
): Members {
  const { properties, required } = shapeOf(document, schema, 'any')
  const known = shapeOf(document, sent, 'any').properties
  const parts = [...required].flatMap((name): [string, unknown][] => {
    const member = properties.get(name)
    const { types, items } = shapeOf(document, member)
    const part = shapeOf(document, items).properties
    if (name in value || known.has(name) || !types.has('array') || part.size === 0 || part.has('id')) return []
    const place = { document, schema: { allOf: [member], minItems: 1 }, pointer: `/${name}`, name }
    return [[name, generateRequired(place, made, { invents: 'little', turn: 0 })]]
  })
  return { ...value, ...Object.fromEntries(parts) }
}
