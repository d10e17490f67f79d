import { faker, seedFaker } from './faker.ts'
import { emailAddress, hostName, type Hint } from './formats.ts'
import { createSchemas, type Check } from '../contract/schemas/schemas.ts'
import { walk } from '../contract/load/document-structure.ts'
import type { Contract } from '../contract/contract.ts'
import { shown } from '../base/errors/problem.ts'
import { nearest, visible } from '../base/errors/wording.ts'
import { isObject } from '../base/formats/json.ts'

/** The keywords by which Prism, json-schema-faker and others are told what to make. */
const KEYWORDS = ['x-faker', 'faker', 'x-fake']

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

type Make = () => unknown

/** Faker's own methods make addresses that may exist. */
const RESERVED: Readonly<Record<string, Make>> = {
  'internet.email': emailAddress,
  'internet.exampleEmail': emailAddress,
  'internet.domainName': hostName,
  'internet.url': () => `https://${hostName()}/`,
}

/** What the document asks Faker for; undefined where it asks for nothing, or for what does not fit the type of the schema. */
export function askedValue({ schema, ...hint }: Hint): string | number | boolean | undefined {
  const asked = KEYWORDS.map((keyword) => schema[keyword]).find((one) => one !== undefined)
  if (asked === undefined) return undefined
  const make = makerOf(asked)
  if (!make) return undefined
  seedFaker(hint)
  try {
    const made = fitting(make(), schema)
    return made === undefined || !checkOf(schema).accepts(made) ? undefined : made
  } catch {
    // Its arguments are not what the method takes.
    return undefined
  }
}

/** Whether a schema says what to make. */
export function asksForValue(schema: Hint['schema']): boolean {
  return KEYWORDS.some((keyword) => schema[keyword] !== undefined)
}

const checks = new WeakMap<object, Check>()

/** The check of one value by its own schema. */
function checkOf(schema: Hint['schema']): Check {
  const check = checks.get(schema) ?? createSchemas({ schema }, () => '').compile('/schema', 'response')
  checks.set(schema, check)
  return check
}

function fitting(value: unknown, { type, format }: Hint['schema']): string | number | boolean | undefined {
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

/** `internet.email`, `{{person.firstName}} from {{location.city}}`, or `{ "number.int": { "min": 1 } }`. */
function makerOf(asked: unknown): Make | undefined {
  if (typeof asked === 'string') {
    if (!asked.includes('{{')) return methodOf(asked, [])
    const makers = namesIn(asked).map((name) => methodOf(name, []))
    if (makers.includes(undefined)) return undefined
    return () => {
      const rest = makers.values()
      return asked.replaceAll(PLACES, () => String(rest.next().value?.()))
    }
  }
  const [[name, given] = ['', undefined], ...others] = isObject(asked) ? Object.entries(asked) : []
  return others.length > 0 || isTooMuch(name, given)
    ? undefined
    : methodOf(name, Array.isArray(given) ? given : [given])
}

const PLACES = /\{\{\s*([\w.]+)\s*\}\}/g

function methodOf(named: string, given: readonly unknown[]): Make | undefined {
  const [first = '', ...rest] = named.replace(/^faker\./, '').split('.')
  const current = [OLD_MODULES[first] ?? first, ...rest].join('.')
  const name = OLD_METHODS[current] ?? current
  const reserved = RESERVED[name]
  if (reserved && !given.some((one) => one !== undefined)) return reserved
  const [module = '', method = '', ...more] = name.split('.')
  if (more.length > 0 || !(MODULES.has(module) || HELPERS.has(name))) return undefined
  const held = (faker as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[module]
  const make = held?.[method]
  return typeof make === 'function' ? () => Reflect.apply(make, held, given) as unknown : undefined
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

/** What the document asks Faker for and does not get, a sentence for each. */
export function unknownGenerators({ document, placeOf }: Contract): readonly string[] {
  const found: string[] = []
  walk(document, (kind, schema, pointer) => {
    if (kind !== 'schema' || !isObject(schema)) return
    const keyword = KEYWORDS.find((one) => schema[one] !== undefined)
    const why = keyword === undefined ? undefined : whyIgnored(schema[keyword], schema)
    if (why !== undefined) found.push(`${placeOf(`${pointer}/${keyword}`)}: ${keyword}: ${why}`)
  })
  return found
}

/** Values that are tried before it is said that none fits. */
const TRIED = 5

/** Why what a schema asks Faker for is ignored, as sentences; undefined where a value is made. */
export function whyIgnored(asked: unknown, schema: Hint['schema']): string | undefined {
  const names = typeof asked === 'string' ? namesIn(asked) : Object.keys(isObject(asked) ? asked : {})
  const [name = ''] = names
  if (names.length !== 1 && typeof asked !== 'string')
    return `expected a method of Faker, such as internet.email or { number.int: { min: 1, max: 9 } }; got ${shown(asked)}. It is ignored.`
  const unknown = names.find((one) => !methodOf(one, []))
  if (unknown !== undefined) {
    const meant = nearest(
      unknown,
      methodNames().filter((one) => methodOf(one, [])),
    )
    const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`
    return `\`${visible(unknown)}\` is no method of Faker that makes a value here, so it is ignored.${hint}`
  }
  if (isObject(asked) && isTooMuch(name, asked[name]))
    return `\`${name}\` is asked for more than ${MOST.toLocaleString('en')} characters or elements, so it is ignored.`
  const seeds = Array.from({ length: TRIED }, (_, seed) => seed)
  const fits = seeds.some((seed) => askedValue({ schema, name: '', owner: '', seed, now: 0 }) !== undefined)
  return fits ? undefined : `\`${name}\` makes nothing that fits the schema beside it, so it is ignored.`
}

/** The methods that a text names: itself, or those of its places. A place with anything but a name is the whole text, which is no method. */
function namesIn(asked: string): readonly string[] {
  if (!asked.includes('{{') || asked.replaceAll(PLACES, '').includes('{{')) return [asked]
  return [...asked.matchAll(PLACES)].map(([, name = '']) => name)
}

function methodNames(): string[] {
  const modules = faker as unknown as Readonly<Record<string, object>>
  return [...MODULES].flatMap((module) => {
    const prototype = Object.getPrototypeOf(modules[module]) as object
    return [...Object.getOwnPropertyNames(prototype), ...Object.keys(modules[module] ?? {})]
      .filter((name) => name !== 'constructor' && name !== 'faker')
      .map((name) => `${module}.${name}`)
  })
}
