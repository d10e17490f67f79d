import type { Faker } from '@faker-js/faker'
import { generatorOfChance } from './chance.ts'
import { faker, seedFaker } from '../faker.ts'
import { emailAddress, hostName, type Hint } from '../formats.ts'
import { textOfPattern } from '../pattern.ts'
import { createSchemas, type Check } from '../../contract/schemas/schemas.ts'
import { leastLength, LONGEST_MATCH, linearPattern, SHORTEST } from '../../contract/schemas/patterns.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import { walk } from '../../contract/load/document-structure.ts'
import type { Contract } from '../../contract/contract.ts'
import { shown } from '../../base/errors/problem.ts'
import { nearest, visible } from '../../base/errors/wording.ts'
import { remembering, rememberingEach } from '../../base/cache.ts'
import { asObject, isObject, stringifyJson, tryParseJson } from '../../base/formats/json.ts'

/** The keywords by which Prism, json-schema-faker and others are told what to make. */
export const KEYWORDS: readonly string[] = ['x-faker', 'faker', 'x-fake']

/** The same in the words of Chance, which json-schema-faker takes too. */
const OF_CHANCE: readonly string[] = ['chance', 'x-chance']

/** What json-schema-faker has besides, and why it is not read. */
const UNREAD: Readonly<Record<string, string>> = {
  autoIncrement: 'ids of collections count by themselves, and other members do not',
  sequentialDate: 'dates are near the clock of the sandbox',
  jsonPath: 'values that belong together are recognised by their names',
}

/** Written into the contract for the setting `values`: `{ by: 'sku', make: { pattern: '…' } }`. It counts more than what the contract has. */
export const CHOSEN = 'x-standin-value'

/** Modules of Faker that make values; the others change its state or are about itself. */
const MODULES = new Set(
  (
    'airline animal book color commerce company database datatype date finance food git hacker image internet location lorem music ' +
    'number person phone science string system vehicle word'
  ).split(' '),
)
/** Of the helpers, those that choose. */
const HELPERS = new Set(['helpers.arrayElement', 'helpers.weightedArrayElement'])

/** What methods were called in older versions of Faker, which documents still name. */
const OLD_MODULES: Readonly<Record<string, string>> = { name: 'person', address: 'location', random: 'string' }
const OLD_METHODS: Readonly<Record<string, string>> = {
  'company.companyName': 'company.name',
  'datatype.datetime': 'date.anytime',
  'datatype.float': 'number.float',
  'datatype.number': 'number.int',
  'datatype.uuid': 'string.uuid',
  'image.imageUrl': 'image.url',
  'internet.userName': 'internet.username',
  'location.stateAbbr': 'location.state',
  'location.streetName': 'location.street',
  'person.findName': 'person.fullName',
  'person.title': 'person.jobTitle',
  'phone.phoneNumber': 'phone.number',
  'string.alphaNumeric': 'string.alphanumeric',
  'string.number': 'number.int',
  'string.word': 'lorem.word',
  'string.words': 'lorem.words',
}

/** The most that an argument may ask for: characters, words, elements. */
const MOST = 10_000

type Make = (hint: Pick<Hint, 'local' | 'seed'>) => unknown

/** What is asked for, or why nothing is made. */
type ReadGenerator = { readonly make: Make } | { readonly why: string; readonly remedy?: string }

/** Faker's own methods make addresses that may exist. */
const RESERVED: Readonly<Record<string, Make>> = {
  'internet.email': emailAddress,
  'internet.exampleEmail': emailAddress,
  'internet.domainName': hostName,
  'internet.url': () => `https://${hostName()}/`,
}

/** A scalar value, or null. */
type Scalar = string | number | boolean | null

/** What the document asks for; undefined where it asks for nothing, or for what does not fit the type of the schema. */
export function askedValue({
  schema,
  local = faker,
  ...hint
}: Omit<Hint, 'local'> & Partial<Pick<Hint, 'local'>>): Scalar | undefined {
  const asked = askedIn(schema)?.asked
  if (asked === undefined) return undefined
  const read = readGenerator(asked)
  if (!('make' in read)) return undefined
  seedFaker({ ...hint, local })
  try {
    const made = fitting(read.make({ local, seed: hint.seed }), schema)
    return made === undefined || !checkOf(schema).accepts(made) ? undefined : made
  } catch {
    // Its arguments are not what the method takes.
    return undefined
  }
}

/** What a schema asks for, and what messages call that. */
function askedIn(schema: Hint['schema']): { readonly asked: unknown; readonly name: string } | undefined {
  if (isChosen(schema)) {
    const { by, make } = asObject(schema[CHOSEN])
    return { asked: make, name: `values: ${String(by)}` }
  }
  const keyword = KEYWORDS.find((one) => schema[one] !== undefined)
  if (keyword !== undefined) return { asked: schema[keyword], name: keyword }
  const chance = OF_CHANCE.find((one) => schema[one] !== undefined)
  return chance === undefined ? undefined : { asked: generatorOfChance(schema[chance]), name: chance }
}

/** Whether a schema says what to make. */
export function asksForValue(schema: Hint['schema']): boolean {
  return askedIn(schema) !== undefined
}

/** Whether the user's settings say what to make. */
export function isChosen(schema: unknown): boolean {
  return isObject(schema) && isObject(schema[CHOSEN])
}

/** A schema that is put together of others is another object for each value. */
const checkOfText = remembering(1000, (text: string): Check =>
  createSchemas({ schema: tryParseJson(text) }, () => '').compile('/schema', 'response'),
)

/** The check of one value by its own schema. */
const checkOf = rememberingEach((schema: Hint['schema']): Check => checkOfText(stringifyJson(schema)))

function fitting(value: unknown, { type, format }: Hint['schema']): Scalar | undefined {
  if (value === null) return null
  const made = value instanceof Date ? value.toISOString().slice(0, format === 'date' ? 10 : undefined) : value
  const types = [type].flat()
  if (types.includes('integer') || types.includes('number')) {
    const number = Number(made)
    return Number.isFinite(number) ? (types.includes('number') ? number : Math.round(number)) : undefined
  }
  if (types.includes('boolean')) return typeof made === 'boolean' ? made : undefined
  if (typeof made === 'string') return made
  if (typeof made !== 'number' && typeof made !== 'boolean') return undefined
  return type === undefined ? made : String(made)
}

/** Longer texts with places are not read. */
const LONGEST_TEMPLATE = 2000
const LONGEST_PATTERN = 500

/**
 * `internet.email`, `{{person.firstName}} from {{location.city}}`, `{ number.int: { min: 1 } }`, `{ pattern: '[A-Z]{3}' }` or
 * `{ oneOf: [red, blue] }`.
 */
export function readGenerator(asked: unknown): ReadGenerator {
  if (typeof asked === 'string') return asked.includes('{{') ? readTemplate(asked) : readMethod(asked, [])
  const [[name, given] = ['', undefined], ...others] = isObject(asked) ? Object.entries(asked) : []
  if (name === '' || others.length > 0)
    return {
      why: `expected a method of Faker, such as internet.email or { number.int: { min: 1, max: 9 } }, { pattern: … } or { oneOf: […] }; got ${shown(asked)}`,
    }
  if (name === 'pattern') return readPattern(given)
  if (name === 'oneOf') return readChoices(given)
  if (OF_TEMPLATES.has(name) && typeof given === 'string') return readTemplate(given)
  return readMethod(name, Array.isArray(given) ? given : [given])
}

/** What Faker calls a text with places. */
const OF_TEMPLATES = new Set(['fake', 'helpers.fake', 'faker.fake'])

/** The arguments in a place are JSON: `{{string.numeric(20)}}`. */
const PLACES = /\{\{\s*([\w.]+)\s*(?:\((.*?)\)\s*)?\}\}/g

function readTemplate(text: string): ReadGenerator {
  if (text.length > LONGEST_TEMPLATE)
    return { why: `it has more than ${LONGEST_TEMPLATE.toLocaleString('en')} characters` }
  if (text.replaceAll(PLACES, '').includes('{{'))
    return {
      why: `${shown(text)} has a place that is none: expected one such as {{person.firstName}} or {{string.numeric(20)}}`,
    }
  const makers: Make[] = []
  for (const [place, name = '', given = ''] of text.matchAll(PLACES)) {
    const list = tryParseJson(`[${given}]`)
    if (!Array.isArray(list)) return { why: `the arguments of \`${place}\` are not JSON` }
    const read = readMethod(name, list)
    if (!('make' in read)) return read
    makers.push(read.make)
  }
  return {
    make(hint) {
      const rest = makers.values()
      return text.replaceAll(PLACES, () => String(rest.next().value?.(hint)))
    },
  }
}

function readPattern(source: unknown): ReadGenerator {
  if (typeof source !== 'string') return { why: `expected a regular expression as \`pattern\`; got ${shown(source)}` }
  const called = `the pattern ${shown(source)}`
  if (source.length > LONGEST_PATTERN) return { why: `${called} has more than ${LONGEST_PATTERN} characters` }
  try {
    const pattern = linearPattern(source)
    if (pattern.whySlow !== undefined) return { why: `${called} may take very long, because ${pattern.whySlow}` }
    if (leastLength(source, SHORTEST) > LONGEST_MATCH)
      return { why: `${called} asks for more than ${LONGEST_MATCH.toLocaleString('en')} characters` }
    return { make: ({ seed }) => textOfPattern(pattern, seed, () => true) }
  } catch {
    return { why: `${called} is no regular expression` }
  }
}

function readChoices(given: unknown): ReadGenerator {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= MOST
  return isList
    ? { make: () => faker.helpers.arrayElement(given) as unknown }
    : { why: `expected a list of 1 to ${MOST.toLocaleString('en')} values as \`oneOf\`; got ${shown(given)}` }
}

function readMethod(named: string, given: readonly unknown[]): ReadGenerator {
  const make = methodOf(named, given)
  if (!make) {
    const meant = nearest(
      named,
      methodNames().filter((one) => methodOf(one, [])),
    )
    const why = `\`${visible(named)}\` is no method of Faker that makes a value here`
    return meant === undefined ? { why } : { why, remedy: ` Did you mean \`${meant}\`?` }
  }
  return isTooMuch(named, given)
    ? { why: `\`${named}\` is asked for more than ${MOST.toLocaleString('en')} characters or elements` }
    : { make }
}

function methodOf(named: string, given: readonly unknown[]): Make | undefined {
  const [first = '', ...rest] = named.replace(/^faker\./, '').split('.')
  const current = [OLD_MODULES[first] ?? first, ...rest].join('.')
  const name = OLD_METHODS[current] ?? current
  const reserved = RESERVED[name]
  if (reserved && !given.some((one) => one !== undefined)) return reserved
  const [module = '', method = '', ...more] = name.split('.')
  if (more.length > 0 || !(MODULES.has(module) || HELPERS.has(name))) return undefined
  if (typeof modulesOf(faker)[module]?.[method] !== 'function') return undefined
  return ({ local }) => {
    const held = modulesOf(local)[module]
    return Reflect.apply(held?.[method] as (...given: unknown[]) => unknown, held, given)
  }
}

function modulesOf(instance: Faker): Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> {
  return instance as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Modules whose numbers are values, unless they are called otherwise, and not how much to make. */
const OF_NUMBERS = /^(?:number|finance|commerce|date|location)\./
/** An argument without a name is one of them. */
const HOW_MUCH = /^(?:length|count)?$/

/** Whether arguments ask for so much that a value would take long. */
function isTooMuch(method: string, given: unknown, key = ''): boolean {
  if (typeof given === 'number') {
    const isValue = method.startsWith('number.') || (OF_NUMBERS.test(method) && !HOW_MUCH.test(key))
    return !isValue && given > MOST
  }
  if (typeof given === 'string') return given.length > MOST
  if (typeof given !== 'object' || given === null) return false
  // `{ length: { min: 5, max: 9 } }`
  const isLength = key !== '' && HOW_MUCH.test(key)
  return Object.entries(given).some(([name, one]) =>
    isTooMuch(method, one, isLength || Array.isArray(given) ? key : name),
  )
}

/** What the document asks for and does not get, a sentence for each. */
export function unknownGenerators({ document, placeOf }: Contract): readonly string[] {
  const found: string[] = []
  walk(document, (kind, schema, pointer) => {
    if (kind !== 'schema' || !isObject(schema)) return
    const said = askedIn(schema)
    // A reference beside it says the type.
    const why = said && whyIgnored(said.asked, shapeOf(document, schema).keywords)
    if (why !== undefined) found.push(`${placeOf(`${pointer}/${said?.name}`)}: ${said?.name}: ${why}`)
    for (const [name, reason] of Object.entries(UNREAD))
      if (schema[name] !== undefined) found.push(`${placeOf(`${pointer}/${name}`)}: ${name}: it is ignored: ${reason}.`)
  })
  return found
}

/** Values that are tried before it is said that none fits. */
const TRIED = 5

/** Why what a schema asks for is ignored, as sentences; undefined where a value is made. */
export function whyIgnored(asked: unknown, schema: Hint['schema']): string | undefined {
  const read = readGenerator(asked)
  if (!('make' in read)) return `${read.why}, so it is ignored.${read.remedy ?? ''}`
  const seeds = Array.from({ length: TRIED }, (_, seed) => seed)
  const fits = seeds.some((seed) => askedValue({ schema, name: '', owner: '', seed, now: 0 }) !== undefined)
  const called = typeof asked === 'string' ? asked : Object.keys(asObject(asked)).join(', ')
  return fits ? undefined : `\`${visible(called)}\` makes nothing that fits the schema beside it, so it is ignored.`
}

function methodNames(): string[] {
  return [...MODULES].flatMap((module) => {
    const prototype = Object.getPrototypeOf(modulesOf(faker)[module]) as object
    return [...Object.getOwnPropertyNames(prototype), ...Object.keys(modulesOf(faker)[module] ?? {})]
      .filter((name) => name !== 'constructor' && name !== 'faker')
      .map((name) => `${module}.${name}`)
  })
}
