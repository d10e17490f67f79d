import { allowsNull, type Shape, shapeOf } from '../../../../contract/schemas/shape.ts'
import type { Violation } from '../../../../base/errors/problem.ts'
import { asObject, isObject, splitPointer, stringifyJson } from '../../../../base/formats/json.ts'
import { completeObject } from '../../../../values/complete-object.ts'
import { outcomeMembers } from '../../../../values/consistency/outcome.ts'
import { kindMembers, saidValue } from '../../items/said-members.ts'
import { type Fill, fillOf, isTotal } from './envelope-fillers.ts'
import { changedFact, type PageChange } from './page-change.ts'
import { MIDDLE, type PageFacts, sample } from './page-facts.ts'
import { plainName } from '../../../../base/formats/names.ts'

/** The JSON text around the items of a page. */
export interface Envelope {
  render(facts: PageFacts): readonly [before: string, after: string]
  /** The body of a page of a service with other items: what tells how many there are changes, all else stays. */
  joined(body: unknown, change: PageChange): unknown
  /** The body of a page with these items, to check them by. */
  sample(items: readonly unknown[]): unknown
}

interface EnvelopeParts {
  readonly document: unknown
  /** The schema of the response. */
  readonly schema: unknown
  /** The pointer of the list in it. */
  readonly pointer: string
  /** Whether the list is an object. */
  readonly isMap?: boolean
  /** The key of values that are made up. */
  readonly key: number
  /** Whether pages are asked for by tokens. */
  readonly usesTokens: boolean
  /** What a member called as a parameter is, such as `sort` beside the list: what was sent, or else what the service takes. */
  readonly asked: ReadonlyMap<string, Fill>
  /** The violations of the contract in a response. */
  check(body: unknown): readonly Violation[]
}

/** A part of an envelope; undefined values are omitted. */
type Node =
  | { readonly kind: 'items' }
  /** `instead` is for a value of an example that breaks the contract; undefined where there is nothing better. */
  | { readonly kind: 'constant'; readonly value: unknown; readonly instead?: unknown }
  | { readonly kind: 'fill'; readonly fill: Fill; readonly empty: unknown }
  | { readonly kind: 'object'; readonly members: Map<string, Node>; readonly empty: unknown }

/** Reads the members around the list in a response, and fills them for each page. Unknown members get a generated value once. */
export function createEnvelope(parts: EnvelopeParts): Envelope {
  const [open, close] = parts.isMap ? ['{', '}'] : ['[', ']']
  const held = (items: readonly unknown[]) => (parts.isMap ? Object.fromEntries(items.entries()) : items)
  if (parts.pointer === '') return { render: () => [open, close], joined: (_body, { items }) => items, sample: held }
  const path = splitPointer(parts.pointer)
  const inner = path.reduceRight<unknown>((value, name) => ({ [name]: value }), [])
  const { document, schema, key } = parts
  const whenNamed = outcomeMembers(document, schema, 200)
  const skeleton = completeObject(document, schema, asObject(inner), { written: 0, key, whenNamed })
  const names = new Set<string>()
  const root = readNode(parts, { schema, path, value: skeleton, isRequired: true, at: [], names }, MAX_LEVELS)
  for (let turn = 0; turn < MAX_TURNS && repair(parts, root, skeleton); turn++);
  return {
    render(facts) {
      const [before = '', after = ''] = stringifyJson(valueOf(root, facts, MARK)).split(QUOTED_MARK)
      return [`${before}${open}`, `${close}${after}`]
    },
    joined: (body, change) => changedValue(root, body, change),
    sample: (items) => valueOf(root, MIDDLE, held(items)),
  }
}

const MAX_LEVELS = 4
const MAX_TURNS = 3

/** A placeholder for the items while the text around them is written. It does not occur in URLs and tokens. */
const MARK = '\u0001items'
const QUOTED_MARK = JSON.stringify(MARK)

interface EnvelopePlace {
  readonly schema: unknown
  /** The path from here to the list; undefined beside it. */
  readonly path: readonly string[] | undefined
  /** The generated value. */
  readonly value: unknown
  readonly isRequired: boolean
  /** The names that lead here. */
  readonly at: readonly string[]
  /** All names beside the list, which are collected first. */
  readonly names: Set<string>
}

function readNode(parts: EnvelopeParts, place: EnvelopePlace, levels: number): Node {
  const { document } = parts
  const { schema, path, value, isRequired, at, names } = place
  if (path?.length === 0) return { kind: 'items' }
  const shape = shapeOf(document, schema, 'any')
  for (const name of shape.properties.keys()) names.add(plainName(name))
  const members = new Map<string, Node>()
  const kind = kindMembers(shape)
  const others = path ? {} : completeObject(document, schema, {}, { written: 0, key: parts.key })
  // The items come first, as readers look for them.
  const properties = [...shape.properties].toSorted(([a], [b]) => Number(b === path?.[0]) - Number(a === path?.[0]))
  for (const [name, member] of properties) {
    // What the response need not have may have to have more than is understood.
    const made = isObject(value) ? value[name] : others[name]
    const onPath = path?.[0] === name ? path.slice(1) : undefined
    const inner: EnvelopePlace = {
      schema: member,
      path: onPath,
      value: made,
      names,
      at: [...at, name],
      isRequired: shape.required.has(name),
    }
    const node = onPath || levels <= 1 ? undefined : memberNode(parts, inner, levels)
    const found = onPath ? readNode(parts, inner, levels - 1) : node
    // A service writes what says the same on each page, such as `kind`, required or not.
    const said = kind[name] ?? made ?? saidValue(shapeOf(document, member))
    if (found) members.set(name, found)
    else if (said !== undefined) members.set(name, { kind: 'constant', value: said, instead: others[name] })
  }
  if (isObject(value))
    for (const [name, made] of Object.entries(value))
      if (!members.has(name)) members.set(name, { kind: 'constant', value: made })
  return { kind: 'object', members, empty: path ? {} : emptyOf(document, schema, isRequired) }
}

/** A member beside the list; undefined for unknown members. */
function memberNode(parts: EnvelopeParts, place: EnvelopePlace, levels: number): Node | undefined {
  const { document, usesTokens, asked } = parts
  const { schema, at, names, isRequired } = place
  const shape = shapeOf(document, schema, 'any')
  if (shape.properties.size > 0) {
    const node = readNode(parts, place, levels - 1)
    const isShown = place.value === undefined ? dependsOnPage(node) : node.kind === 'object' && node.members.size > 0
    return isShown ? node : undefined
  }
  const [holder = '', name = ''] = ['', ...at].slice(-2).map(plainName)
  const known = fillOf({ name, holder, shape, hasTotal: [...names].some(isTotal), usesTokens })
  const fill = known ?? (shape.types.has('string') ? asked.get(name) : undefined)
  return fill && { kind: 'fill', fill: withinLimits(shape, fill), empty: emptyOf(document, schema, isRequired) }
}

/** Without the numbers that the schema does not allow: some are written after an example, as a `pageCount` of at most 1. */
function withinLimits({ keywords }: Shape, fill: Fill): Fill {
  const { minimum = -Infinity, maximum = Infinity } = keywords
  return (facts) => {
    const value = fill(facts)
    return typeof value === 'number' && (value < Number(minimum) || value > Number(maximum)) ? undefined : value
  }
}

/** Whether any part of it depends on the page. */
function dependsOnPage(node: Node): boolean {
  return node.kind === 'fill' || (node.kind === 'object' && [...node.members.values()].some(dependsOnPage))
}

/** What a member is where a page has no value for it: null where the schema allows it, else absent, else empty. */
function emptyOf(document: unknown, schema: unknown, isRequired: boolean): unknown {
  if (allowsNull(document, schema)) return null
  if (!isRequired) return undefined
  const { types, properties } = shapeOf(document, schema, 'any')
  if (properties.size > 0) return {}
  return types.has('integer') || types.has('number') ? 0 : ''
}

function changedValue(node: Node, value: unknown, change: PageChange): unknown {
  if (node.kind === 'items') return change.items
  if (node.kind === 'fill') return changedFact(node.fill, value, change)
  if (node.kind === 'constant' || !isObject(value)) return value
  const members = Object.entries(value).map(([name, held]) => {
    const member = node.members.get(name)
    return [name, member ? changedValue(member, held, change) : held]
  })
  return Object.fromEntries(members) as unknown
}

function valueOf(node: Node, facts: PageFacts, items: unknown): unknown {
  switch (node.kind) {
    case 'items':
      return items
    case 'constant':
      return node.value
    case 'fill':
      return node.fill(facts) ?? node.empty
    case 'object':
      return objectOf(node, facts, items)
  }
}

/**
 * An object; null or absent, as its schema allows, if the page has no value for any of its members. It is there where they may be null and
 * it may not: clients read `cursors.next` of each page.
 */
function objectOf({ members, empty }: Extract<Node, { kind: 'object' }>, facts: PageFacts, items: unknown): unknown {
  const held = [...members.values()]
  const isNull = empty === undefined && held.some((one) => one.kind === 'fill' && one.empty === null)
  const isFilled = isNull || held.some((member) => hasValue(member, facts))
  if (!isFilled && !isObject(empty)) return empty
  const shown = [...members].flatMap(([name, member]): [string, unknown][] => {
    const value = valueOf(member, facts, items)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(shown)
}

/** Whether a member depends on the page, and this page has something for it. */
function hasValue(node: Node, facts: PageFacts): boolean {
  if (node.kind === 'fill') return node.fill(facts) !== undefined
  return (
    node.kind === 'items' || (node.kind === 'object' && [...node.members.values()].some((one) => hasValue(one, facts)))
  )
}

/** Replaces values that break the contract on a sample page by generated ones. @returns whether any was replaced */
function repair(parts: EnvelopeParts, root: Node, skeleton: unknown): boolean {
  let isChanged = false
  for (const facts of SAMPLES) {
    for (const { pointer = '' } of parts.check(valueOf(root, facts, parts.isMap ? {} : []))) {
      if (pointer === parts.pointer || pointer.startsWith(`${parts.pointer}/`)) continue
      if (replace(root, splitPointer(pointer), skeleton)) isChanged = true
    }
  }
  return isChanged
}

function replace(node: Node, [name, ...rest]: readonly string[], value: unknown): boolean {
  if (node.kind !== 'object' || name === undefined) return false
  const member = node.members.get(name)
  const made = isObject(value) ? value[name] : undefined
  if (member?.kind === 'object') return replace(member, rest, made)
  if (member?.kind !== 'fill' && member?.kind !== 'constant') return false
  const instead = member.kind === 'fill' ? made : member.instead
  if (instead === undefined) node.members.delete(name)
  else node.members.set(name, { kind: 'constant', value: instead })
  return true
}

/** The first, a middle, the last and the only page. */
const SAMPLES = [sample(0, 2, 6), MIDDLE, sample(4, 2, 6), sample(0, 0, 0)]
