import { faker } from '@faker-js/faker/locale/en'
import type { Hint } from './faker-values.ts'
import type { FlatSchema } from './flatten.ts'
import { LONGEST_TEXT } from '../contract/schemas/pattern-length.ts'

const DAYS_BACK = 30
const DAYS_AHEAD = 30

/** Texts of the formats that JSON Schema and OpenAPI name. Faker was seeded before. */
const FORMATS: Readonly<Record<string, (hint: Hint) => string>> = {
  'date-time': (hint) => momentOf(hint).toISOString(),
  date: (hint) => momentOf(hint).toISOString().slice(0, 10),
  time: (hint) => momentOf(hint).toISOString().slice(11),
  duration: () => `PT${faker.number.int({ min: 1, max: 90 })}M`,
  email: () => faker.internet.email().toLowerCase(),
  'idn-email': () => faker.internet.email().toLowerCase(),
  hostname: () => faker.internet.domainName(),
  'idn-hostname': () => faker.internet.domainName(),
  ipv4: () => faker.internet.ipv4(),
  ip: () => faker.internet.ipv4(),
  ipv6: () => faker.internet.ipv6(),
  uri: ({ name }) => addressOf(name),
  url: ({ name }) => addressOf(name),
  iri: ({ name }) => addressOf(name),
  'uri-reference': () => `/${faker.lorem.slug(2)}`,
  'iri-reference': () => `/${faker.lorem.slug(2)}`,
  'uri-template': () => `https://${faker.internet.domainName()}/{id}`,
  uuid: () => faker.string.uuid(),
  guid: () => faker.string.uuid(),
  byte: (hint) => encoded(hint, 'base64'),
  base64: (hint) => encoded(hint, 'base64'),
  base64url: (hint) => encoded(hint, 'base64url'),
  'json-pointer': () => `/${faker.word.noun().replaceAll(/\W/g, '')}`,
  'relative-json-pointer': () => '0',
  regex: () => '^[a-z]+$',
  password: () => faker.internet.password({ length: 16 }),
  phone: () => faker.phone.number({ style: 'international' }),
  color: () => faker.color.rgb(),
}

/** A text of a format; undefined for a format that is not known. Dates lie within thirty days of the sandbox's. */
export function textOfFormat(format: string, hint: Hint): string | undefined {
  return Object.hasOwn(FORMATS, format) ? FORMATS[format]?.(hint) : undefined
}

/**
 * The form of a text by its schema: its format, or how it is encoded, which is what `format: byte` is from OpenAPI 3.1 on. Undefined
 * where the schema says neither.
 */
export function formOf({ format, contentEncoding }: FlatSchema): string | undefined {
  if (typeof format === 'string') return format
  return typeof contentEncoding === 'string' ? contentEncoding.toLowerCase() : undefined
}

/** Encoded words: whole groups of four characters, as many as the schema allows. */
function encoded({ schema }: Hint, encoding: 'base64' | 'base64url'): string {
  const { minLength, maxLength } = schema
  const words = Buffer.from(`${faker.word.adjective()} ${faker.word.noun()}`)
  const least = typeof minLength === 'number' ? Math.ceil(Math.min(minLength, LONGEST_TEXT) / 4) * 3 : 0
  const most = typeof maxLength === 'number' ? Math.floor(maxLength / 4) * 3 : Infinity
  const size = Math.min(Math.max(words.length, least), most)
  return Buffer.alloc(size, words).toString(encoding)
}

/** What expires or comes next lies ahead; everything else has been. */
function momentOf({ name, now }: Hint): Date {
  return /(expir|next|due|end|until|schedul|valid)/i.test(name)
    ? faker.date.soon({ days: DAYS_AHEAD, refDate: now })
    : faker.date.recent({ days: DAYS_BACK, refDate: now })
}

/** An address that nobody owns (RFC 2606). */
function addressOf(name: string): string {
  const host = `${faker.word.noun().replaceAll(/[^a-z]/g, '')}.example.com`
  return /(image|avatar|photo|picture|thumbnail|icon|logo)/i.test(name)
    ? `https://${host}/${faker.lorem.slug(2)}.png`
    : `https://${host}/${faker.lorem.slug(2)}`
}
