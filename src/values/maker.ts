import { believableNumber, believableText, believableTruth, word } from './faker-values.ts'
import { type Flat, flatten, type FlatSchema, type Trail } from './flatten.ts'
import { drawText } from './pattern.ts'
import type { Lookup } from '../contract/schemas/lookup.ts'
import { isObject } from '../formats/json.ts'
import { chanceKey } from '../engine/random.ts'

/** Makes values that schemas of a document allow: believable ones, and always the same for the same key. */
export interface Maker {
  /** A value for the schema at a pointer of the document; undefined where it allows none. */
  make(place: string, style: Style): unknown
}

export interface Style {
  /** Whether examples and defaults within schemas are taken. */
  readonly examples: boolean
  /** Whether only what is required is made. */
  readonly requiredOnly: boolean
  /** How many alternatives further than the one that was drawn. */
  readonly turn: number
}

interface MakerOptions {
  readonly lookup: Lookup
  /** What all chance hangs on, besides the place of each value. */
  readonly key: number
  /** Epoch ms. */
  readonly now: number
  /** Called before a value is made: one of thousands of parts takes as long as a turn of the event loop may. */
  takeTurn(): void
}

/** A value has at most so many values in it, and lies at most so deep; beyond, only what is required is made. */
const MOST_VALUES = 2000
const DEEP = 6
const DEEPEST = 12

export function createMaker({ lookup, key, now, takeTurn }: MakerOptions): Maker {
  const made = new Map<string, unknown>()
  const makeNew = (place: string, style: Style) => {
    takeTurn()
    const run: Run = { lookup, key, now: now - (now % DAY), style, left: MOST_VALUES }
    return makeValue(run, lookup.raw(place), { pointer: '', name: '', depth: 0, trail: { schemas: [], owner: '' } })
  }
  return {
    make(place, style) {
      // Work that runs in turns asks for the same value in each.
      const wanted = JSON.stringify([place, style])
      if (!made.has(wanted)) made.set(wanted, makeNew(place, style))
      return made.get(wanted)
    },
  }
}

const DAY = 86_400_000

interface Run extends Omit<MakerOptions, 'takeTurn'> {
  readonly style: Style
  /** How many more values there may be. */
  left: number
}

/** Where a value stands. */
interface Site {
  readonly pointer: string
  /** The nearest member's name. */
  readonly name: string
  readonly depth: number
  readonly trail: Trail
}

function makeValue(run: Run, held: unknown, site: Site): unknown {
  if (held === false || site.depth > DEEPEST) return null
  run.left--
  const isThrifty = run.style.requiredOnly || isDeep(run, site)
  const flat = flatten(held, site.trail, {
    lookup: run.lookup,
    choose: (count) => ((isThrifty ? 0 : chooser(run, `${site.pointer}?`)(count)) + run.style.turn) % count,
  })
  const { schema } = flat
  const here = { ...site, trail: flat.trail }
  if (schema.const !== undefined) return schema.const
  const given = run.style.examples ? exampleOf(schema) : undefined
  if (given !== undefined) return given
  if (schema.enum && schema.enum.length > 0) return oneOf(run, schema.enum, here)
  switch (typeOf(schema)) {
    case 'object':
      return makeObject(run, flat, here)
    case 'array':
      return makeArray(run, flat, here)
    case 'string':
      return believableText(hintOf(run, here, schema))
    case 'integer':
      return believableNumber(hintOf(run, here, schema), true)
    case 'number':
      return believableNumber(hintOf(run, here, schema), false)
    case 'boolean':
      return believableTruth(hintOf(run, here, schema))
    default:
      return null
  }
}

function isDeep({ left }: Run, { depth }: Site): boolean {
  return depth >= DEEP || left <= 0
}

/** What the document shows: its example, or what holds when nothing is said. */
function exampleOf({ example, examples, default: byDefault }: FlatSchema): unknown {
  const all: readonly unknown[] = Array.isArray(examples) ? examples : []
  return example ?? all[0] ?? byDefault ?? undefined
}

function oneOf(run: Run, values: readonly unknown[], { pointer }: Site): unknown {
  const telling = values.filter((value) => value !== null)
  return telling[chooser(run, pointer)(telling.length)] ?? null
}

function typeOf(schema: FlatSchema): string {
  const types = schema.type === undefined ? [] : [schema.type].flat()
  const [first] = types.filter((type) => type !== 'null')
  if (first !== undefined) return first
  if (types.length > 0) return 'null'
  if (schema.properties ?? isObject(schema.additionalProperties)) return 'object'
  if (schema.items !== undefined || schema.prefixItems !== undefined) return 'array'
  const isNumber = ['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum'].some((keyword) => keyword in schema)
  if (isNumber) return 'number'
  const isText = ['pattern', 'format', 'minLength', 'maxLength'].some((keyword) => keyword in schema)
  // A schema that says nothing allows everything; an object says least.
  return isText ? 'string' : 'object'
}

function makeObject(run: Run, { schema, trail }: Flat, site: Site): Record<string, unknown> {
  const { properties = {}, required = [] } = schema
  const isThrifty = run.style.requiredOnly || isDeep(run, site)
  const made: [string, unknown][] = []
  for (const [name, held] of Object.entries(properties)) {
    const isRequired = required.includes(name)
    if (!isRequired && (isThrifty || !isWorth(run, held, trail))) continue
    made.push([name, makeValue(run, held, inside(site, name, trail))])
  }
  for (const name of required) {
    if (!Object.hasOwn(properties, name))
      made.push([name, makeValue(run, openSchema(schema), inside(site, name, trail))])
  }
  const least = typeof schema.minProperties === 'number' ? schema.minProperties : 0
  const more = Math.min(openCount(schema, made.length, isThrifty, least), MOST_ELEMENTS)
  for (let at = 0; at < more; at++) {
    const name = word(chanceKey(run.key, `${site.pointer}/*${at}`))
    if (!made.some(([known]) => known === name))
      made.push([name, makeValue(run, openSchema(schema), inside(site, name, trail))])
  }
  return Object.fromEntries(made)
}

/** How many members an object gets that no property names. */
function openCount(schema: FlatSchema, known: number, isThrifty: boolean, least: number): number {
  const isMap = isObject(schema.additionalProperties) && Object.keys(schema.properties ?? {}).length === 0
  return Math.max(least - known, isMap && !isThrifty ? 2 : 0)
}

function openSchema({ additionalProperties }: FlatSchema): unknown {
  return isObject(additionalProperties) ? additionalProperties : { type: 'string' }
}

/** What is for requests only, is forbidden, is out of date, or leads back to where we are is left out where it may be. */
function isWorth({ lookup }: Run, held: unknown, { schemas }: Trail): boolean {
  const target = lookup.follow(held)
  if (target === false || !isObject(target)) return target === true
  return target.writeOnly !== true && target.deprecated !== true && !schemas.includes(target)
}

const MOST_ELEMENTS = 100

function makeArray(run: Run, { schema, trail }: Flat, site: Site): unknown[] {
  const { minItems, maxItems, prefixItems, items } = schema
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : []
  const least = typeof minItems === 'number' ? minItems : 0
  const most = typeof maxItems === 'number' ? maxItems : Infinity
  const isThrifty = run.style.requiredOnly || isDeep(run, site) || trail.schemas.includes(run.lookup.follow(items))
  const usual = isThrifty ? 0 : 1 + chooser(run, `${site.pointer}#`)(3)
  const isClosed = items === false
  const count = isClosed ? first.length : Math.min(Math.max(usual, least, first.length), most, MOST_ELEMENTS)
  const elements = Array.from({ length: count }, (_, at) =>
    makeValue(run, first[at] ?? items ?? schema.contains ?? {}, inside(site, String(at), trail, site.name)),
  )
  // Nobody lists a thing twice.
  const different = withoutRepeats(elements)
  return schema.uniqueItems === true || different.length >= least ? different : elements
}

function withoutRepeats(elements: readonly unknown[]): unknown[] {
  return [...new Map(elements.map((element) => [JSON.stringify(element), element])).values()]
}

/** @param name what the value is called, when that is not its place */
function inside(site: Site, part: string, trail: Trail, name = part): Site {
  return { pointer: `${site.pointer}/${part}`, name, depth: site.depth + 1, trail }
}

function chooser({ key }: Run, purpose: string): (count: number) => number {
  return (count) => (count < 2 ? 0 : chanceKey(key, purpose) % count)
}

function hintOf({ key, now }: Run, { pointer, name, trail }: Site, schema: FlatSchema) {
  return { name, owner: trail.owner, schema, seed: chanceKey(key, pointer), now, draw: drawText }
}
