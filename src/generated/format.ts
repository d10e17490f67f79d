import { faker } from '@faker-js/faker/locale/en'
import type { Hint } from './believable.ts'

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
  byte: () => Buffer.from(`${faker.word.adjective()} ${faker.word.noun()}`).toString('base64'),
  base64: () => Buffer.from(`${faker.word.adjective()} ${faker.word.noun()}`).toString('base64'),
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
