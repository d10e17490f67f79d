/** Helpers of Mockoon without arguments. */
const PLAIN: Readonly<Record<string, string>> = {
  boolean: 'datatype.boolean',
  city: 'location.city',
  color: 'color.human',
  company: 'company.name',
  country: 'location.country',
  countryCode: 'location.countryCode',
  domain: 'internet.domainName',
  email: 'internet.email',
  firstName: 'person.firstName',
  guid: 'string.uuid',
  hexColor: 'color.rgb',
  ipv4: 'internet.ipv4',
  ipv6: 'internet.ipv6',
  lastName: 'person.lastName',
  lat: 'location.latitude',
  long: 'location.longitude',
  phone: 'phone.number',
  postcode: 'location.zipCode',
  street: 'location.streetAddress',
  title: 'person.prefix',
  uuid: 'string.uuid',
  zipcode: 'location.zipCode',
}

/** `'a b'`, `"a"`, `5`, `min=5`, or `(array 'a' 'b')`, whose brackets and name are no values. */
const ARGUMENT = /(?:(\w+)=)?(?:'([^']*)'|"([^"]*)"|(-?\d+(?:\.\d+)?)|(true|false))/g

interface CallArguments {
  readonly given: readonly unknown[]
  readonly named: Readonly<Record<string, unknown>>
}

function readArguments(text: string): CallArguments {
  const named: Record<string, unknown> = {}
  const given: unknown[] = []
  for (const [, key, single, double, number, flag] of text.matchAll(ARGUMENT)) {
    const value = single ?? double ?? (number === undefined ? flag === 'true' : Number(number))
    if (key === undefined) given.push(value)
    else named[key] = value
  }
  return { given, named }
}

function listOf({ given, named }: CallArguments): unknown[] {
  return [...given, ...(Object.keys(named).length === 0 ? [] : [named])]
}

/** A helper of Mockoon, such as `faker 'number.int' min=10 max=100`, as a generator; undefined for one that has no equal. */
export function generatorOfHelper(helper: string): unknown {
  const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(helper) ?? []
  const { given, named } = readArguments(rest)
  const [first, second] = given
  if (name === 'faker') return { [String(first)]: listOf({ given: given.slice(1), named }) }
  if (name === 'int' || name === 'float') return { [`number.${name}`]: { min: first ?? 0, max: second ?? 100 } }
  if (name === 'oneOf') return { oneOf: given }
  if (name === 'lorem') return { 'lorem.words': first ?? 7 }
  return Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined
}

/** A call in a place of a stub, such as `number.int(min=1, max=9)` or `oneOf('a', 'b')`, as a generator. */
export function generatorOfCall(call: string): unknown {
  const [, name = '', text] = /^([\w.]+)\((.*)\)$/s.exec(call) ?? []
  if (text === undefined) return call
  const { given, named } = readArguments(text)
  return name === 'oneOf' ? { oneOf: given } : { [name]: listOf({ given, named }) }
}

/** A helper of Mockoon as such a call; undefined for one that has no equal. */
export function callOfHelper(helper: string): string | undefined {
  const generator = generatorOfHelper(helper)
  if (typeof generator === 'string') return generator
  const [[name, given] = ['', undefined]] = Object.entries(generator ?? {})
  if (name === '') return undefined
  const texts = [given].flat().map(writeArgument)
  return texts.includes(undefined) ? undefined : texts.length === 0 ? name : `${name}(${texts.join(', ')})`
}

/** Undefined for a text that would end the place or the argument. */
function writeArgument(value: unknown): string | undefined {
  if (typeof value === 'string') return /['{}|]/.test(value) ? undefined : `'${value}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const parts = Object.entries(value).map(([key, one]) => {
    const text = writeArgument(one)
    return text && `${key}=${text}`
  })
  return parts.includes(undefined) ? undefined : parts.join(', ')
}
