import { faker, seedFaker } from './faker.ts'
import type { Hint } from './formats.ts'
import { walk } from '../contract/load/document-structure.ts'
import type { Contract } from '../contract/contract.ts'
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

/** What the document asks Faker for; undefined where it asks for nothing, or for what does not fit the type of the schema. */
export function askedValue({ schema, ...hint }: Hint): string | number | boolean | undefined {
  const asked = KEYWORDS.map((keyword) => schema[keyword]).find((one) => one !== undefined)
  if (asked === undefined) return undefined
  const make = makerOf(asked)
  if (!make) return undefined
  seedFaker(hint)
  try {
    return fitting(make(), schema)
  } catch {
    // Its arguments are not what the method takes.
    return undefined
  }
}

function fitting(value: unknown, { type, format }: Hint['schema']): string | number | boolean | undefined {
  const made = value instanceof Date ? value.toISOString().slice(0, format === 'date' ? 10 : undefined) : value
  const types = [type].flat()
  if (types.includes('integer') || types.includes('number')) {
    const number = Number(made)
    return Number.isFinite(number) ? (types.includes('number') ? number : Math.round(number)) : undefined
  }
  if (types.includes('boolean')) return typeof made === 'boolean' ? made : undefined
  return ['string', 'number', 'boolean'].includes(typeof made) ? String(made) : undefined
}

/** `internet.email`, `{{person.firstName}} from {{location.city}}`, or `{ "number.int": { "min": 1 } }`. */
function makerOf(asked: unknown): Make | undefined {
  if (typeof asked === 'string') {
    if (!asked.includes('{{')) return methodOf(asked, [])
    const makers = [...asked.matchAll(PLACES)].map(([, name = '']) => methodOf(name, []))
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

/** What the document asks for that Faker does not have, a sentence for each. */
export function unknownGenerators({ document, placeOf }: Contract): readonly string[] {
  const found: string[] = []
  walk(document, (kind, schema, pointer) => {
    if (kind !== 'schema' || !isObject(schema)) return
    const keyword = KEYWORDS.find((one) => schema[one] !== undefined)
    if (keyword === undefined || makerOf(schema[keyword])) return
    const asked = schema[keyword]
    const name = typeof asked === 'string' ? asked : (Object.keys(isObject(asked) ? asked : {})[0] ?? '')
    const meant = nearest(name, methodNames())
    const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`
    const where = placeOf(`${pointer}/${keyword}`)
    found.push(`${where}: ${keyword}: Faker makes no \`${visible(name)}\`, so it is ignored.${hint}`)
  })
  return found
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
