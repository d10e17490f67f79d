import type { Faker } from '@faker-js/faker'
import { faker } from './faker.ts'
import { latinLetters } from './locale/latin-letters.ts'
import type { MergedSchema } from './merge-schema.ts'
import { LONGEST_TEXT } from '../contract/schemas/patterns.ts'

/** What is known about a value before it is generated. */
export interface Hint {
  /** The name of the property, such as `firstName`. */
  readonly name: string
  /** The named schema that has the property, such as `Customer`; empty when there is none. */
  readonly owner: string
  readonly schema: MergedSchema
  readonly seed: number
  /** Epoch ms. Dates lie near it. */
  readonly now: number
  /** Makes names and addresses. */
  readonly local: Faker
}

const DAYS_BACK = 30
const DAYS_AHEAD = 30

/** Texts of the formats of JSON Schema and OpenAPI. Faker must be seeded. */
const FORMATS: Readonly<Record<string, (hint: Hint) => string>> = {
  // A number as a text, so that clients can read it exactly.
  decimal: () => faker.finance.amount(),
  'date-time': (hint) => momentNear(hint).toISOString(),
  date: (hint) => momentNear(hint).toISOString().slice(0, 10),
  time: (hint) => momentNear(hint).toISOString().slice(11),
  duration: () => `PT${faker.number.int({ min: 1, max: 90 })}M`,
  email: emailAddress,
  'idn-email': emailAddress,
  hostname: hostName,
  'idn-hostname': hostName,
  ipv4: () => faker.internet.ipv4(),
  ip: () => faker.internet.ipv4(),
  ipv6: () => faker.internet.ipv6(),
  uri: ({ name }) => addressOf(name),
  url: ({ name }) => addressOf(name),
  iri: ({ name }) => addressOf(name),
  'uri-reference': () => `/${faker.lorem.slug(2)}`,
  'iri-reference': () => `/${faker.lorem.slug(2)}`,
  'uri-template': () => `https://${hostName()}/{id}`,
  uuid: () => faker.string.uuid(),
  guid: () => faker.string.uuid(),
  byte: (hint) => encoded(hint, 'base64'),
  base64: (hint) => encoded(hint, 'base64'),
  base64url: (hint) => encoded(hint, 'base64url'),
  'json-pointer': () => `/${faker.word.noun().replaceAll(/\W/g, '')}`,
  'relative-json-pointer': () => '0',
  regex: () => '^[a-z]+$',
  password: () => faker.internet.password({ length: 16 }),
  phone: ({ local }) => local.phone.number({ style: 'international' }),
  color: () => faker.color.rgb(),
}

/** A moment as a format for dates has it; undefined for other formats. @param now epoch ms */
export function instantOf(format: unknown, now: number): string | undefined {
  const instant = new Date(now).toISOString()
  if (format === 'date') return instant.slice(0, 10)
  if (format === 'time') return instant.slice(11)
  return format === 'date-time' ? instant : undefined
}

/** A text of a format; undefined for an unknown one. Dates lie within thirty days of the sandbox's. Faker must be seeded. */
export function textOfFormat(format: string, hint: Hint): string | undefined {
  return Object.hasOwn(FORMATS, format) ? FORMATS[format]?.(hint) : undefined
}

/** The format of a text, or its encoding, which replaces `format: byte` since OpenAPI 3.1. */
export function formatOf({ format, contentEncoding }: MergedSchema): string | undefined {
  if (typeof format === 'string') return format
  return typeof contentEncoding === 'string' ? contentEncoding.toLowerCase() : undefined
}

/** Names of pictures, such as `thumbnail` and `avatarUrl`. */
export const PICTURE =
  /(image|picture|photo|avatar|thumbnail|thumb|logo|icon|banner|poster|screenshot|favicon)(url|uri|src|link|href)?s?$|^b64json$/i

/** The address of a picture, its data, or the name of the image that a container runs. Faker must be seeded. */
export function pictureOf({ name, owner }: Pick<Hint, 'name' | 'owner'>): string {
  if (/(container|pod|task)/i.test(owner) && /^image$/i.test(name))
    return `registry.example.org/${faker.lorem.slug(2)}:${faker.system.semver()}`
  if (/b64|base64/i.test(name)) return PIXEL
  return `https://images.example.org/${faker.lorem.slug(2)}.png`
}

/** A PNG with one transparent pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Encoded words, in whole groups of four characters, as long as the schema allows. */
function encoded({ name, schema }: Hint, encoding: 'base64' | 'base64url'): string {
  const { minLength, maxLength } = schema
  if (PICTURE.test(name) && minLength === undefined && maxLength === undefined)
    return Buffer.from(PIXEL, 'base64').toString(encoding)
  const words = Buffer.from(`${faker.word.adjective()} ${faker.word.noun()}`)
  const least = typeof minLength === 'number' ? Math.ceil(Math.min(minLength, LONGEST_TEXT) / 4) * 3 : 0
  const most = typeof maxLength === 'number' ? Math.floor(maxLength / 4) * 3 : Infinity
  const size = Math.min(Math.max(words.length, least), most)
  return Buffer.alloc(size, words).toString(encoding)
}

/** Dates lie in the past, unless their name speaks of the future. Faker must be seeded. */
export function momentNear({ name, now }: Hint): Date {
  return /(expir|next|due|end|until|schedul|valid)/i.test(name)
    ? faker.date.soon({ days: DAYS_AHEAD, refDate: now })
    : faker.date.recent({ days: DAYS_BACK, refDate: now })
}

/** At a domain reserved for examples (RFC 2606): mail to any other may reach a person. Faker must be seeded. */
export function emailAddress({ local }: Pick<Hint, 'local'>): string {
  const provider = faker.helpers.arrayElement(['example.com', 'example.net', 'example.org'])
  return faker.internet.email({ provider, ...loginNames(local) }).toLowerCase()
}

/** A name of the locale in letters that a login has; nothing for English, or where it has none. */
export function loginNames(local: Faker): { firstName?: string; lastName?: string } {
  if (local === faker) return {}
  const names = { firstName: latinLetters(local.person.firstName()), lastName: latinLetters(local.person.lastName()) }
  return names.firstName !== '' && names.lastName !== '' ? names : {}
}

/** Below a domain reserved for examples. Faker must be seeded. */
export function hostName(): string {
  return `${faker.word.noun().replaceAll(/[^a-z]/g, '')}.example.com`
}

function addressOf(name: string): string {
  return PICTURE.test(name) ? pictureOf({ name, owner: '' }) : `https://example.org/${faker.lorem.slug(2)}`
}

/** A state, or what a country without them has. Where Faker knows neither, it would be one of the United States. Faker must be seeded. */
export function regionOf(local: Faker): string {
  const [own, english] = [local, faker].map((one) => one.definitions.location)
  const isAmerican = local === faker || local.rawDefinitions.metadata?.country === 'US'
  if (isAmerican || own?.state !== english?.state) return local.location.state()
  return own?.county === english?.county ? local.location.city() : local.location.county()
}
