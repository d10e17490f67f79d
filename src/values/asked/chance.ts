import { asObject, isObject } from '../../base/formats/json.ts'

/** What json-schema-faker calls by the keyword `chance`, as Faker has it. Others of Chance have no equal. */
const METHODS: Readonly<Record<string, string>> = {
  address: 'location.streetAddress',
  avatar: 'image.avatar',
  city: 'location.city',
  color: 'color.rgb',
  company: 'company.name',
  country: 'location.country',
  date: 'date.anytime',
  domain: 'internet.domainName',
  email: 'internet.email',
  first: 'person.firstName',
  gender: 'person.sex',
  guid: 'string.uuid',
  ip: 'internet.ipv4',
  ipv6: 'internet.ipv6',
  last: 'person.lastName',
  latitude: 'location.latitude',
  longitude: 'location.longitude',
  name: 'person.fullName',
  paragraph: 'lorem.paragraph',
  phone: 'phone.number',
  postcode: 'location.zipCode',
  prefix: 'person.prefix',
  profession: 'person.jobTitle',
  sentence: 'lorem.sentence',
  state: 'location.state',
  street: 'location.street',
  url: 'internet.url',
  word: 'lorem.word',
  zip: 'location.zipCode',
}

/** Those whose arguments have other names. */
const WITH_ARGUMENTS: Readonly<Record<string, (given: unknown) => object>> = {
  age: () => ({ 'number.int': { min: 1, max: 120 } }),
  bool: (given) => ({ 'datatype.boolean': { probability: Number(asObject(given).likelihood ?? 50) / 100 } }),
  floating: (given) => {
    const { min = 0, max = 1e6, fixed = 4 } = asObject(given)
    return { 'number.float': { min, max, fractionDigits: fixed } }
  },
  integer: (given) => rangeOf(given, -1e6),
  natural: (given) => rangeOf(given, 0),
  pickone: (given) => ({ oneOf: Array.isArray(given) && Array.isArray(given[0]) ? (given[0] as unknown[]) : given }),
  string: (given) => {
    const { length = 10, pool } = asObject(given)
    return typeof pool === 'string'
      ? { 'string.fromCharacters': [pool, length] }
      : { 'string.alphanumeric': { length } }
  },
}

function rangeOf(given: unknown, least: number): object {
  const { min = least, max = 1e6 } = asObject(given)
  return { 'number.int': { min, max } }
}

/** A method of Chance, alone or with its arguments (`{ integer: { min: 1 } }`), as a generator; one that has no equal as it is. */
export function generatorOfChance(asked: unknown): unknown {
  const [[name, given] = ['', undefined]] = isObject(asked)
    ? Object.entries(asked)
    : [[String(asked), undefined] as const]
  const read = Object.hasOwn(WITH_ARGUMENTS, name) ? WITH_ARGUMENTS[name] : undefined
  if (read) return read(given)
  return Object.hasOwn(METHODS, name) ? METHODS[name] : asked
}
