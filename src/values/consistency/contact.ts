import type { Faker } from '@faker-js/faker'
import { faker, seedFaker } from '../faker.ts'
import { regionOf } from '../formats.ts'
import { latinLetters } from '../locale/latin-letters.ts'
import { chanceKey, draw } from '../../engine/random.ts'
import { firstOf, type Level, put, valueOf } from './level.ts'
import { plainName } from '../../base/formats/names.ts'

const FIRST = ['firstname', 'givenname', 'forename']
const LAST = ['lastname', 'surname', 'familyname']
const FULL = ['fullname', 'displayname', 'realname', 'customername', 'contactname']
const EMAIL = ['email', 'emailaddress', 'mail', 'primaryemail', 'contactemail']
const BIRTH_DATES = ['birthdate', 'dateofbirth', 'birthday', 'dob']
const USER = ['username', 'login', 'handle', 'nickname', 'screenname']

/** Names, e-mail address and login of one object are those of one person. No two documents of a collection have the same person. */
export function agreeOnPerson(level: Level): void {
  const hasParts = firstOf(level, FIRST) !== undefined || firstOf(level, LAST) !== undefined
  const isNamed = hasParts || firstOf(level, FULL) !== undefined || isPerson(level.owner)
  const hasAddress = firstOf(level, [...EMAIL, ...USER]) !== undefined
  if (!isNamed && !hasAddress) return
  const isAnonymous = !isNamed && typeof valueOf(level, 'name') === 'string'
  // An address beside the name of something else, such as a shop, which has no date of birth.
  if (isAnonymous && !isUnknown(level.owner) && firstOf(level, BIRTH_DATES) === undefined) return
  const { local } = level.context
  const made = personOf(level, local)
  const first = chosenOf(level, FIRST) ?? made.first
  const last = chosenOf(level, LAST) ?? made.last
  const full = fullName(local, first, last)
  const written = [latinLetters(first), latinLetters(last)]
  const login = written.includes('') ? personOf(level, faker) : undefined
  const user = (login ? [latinLetters(login.first), latinLetters(login.last)] : written).join('.')
  const write = (names: readonly string[], text: string) => {
    for (const name of names) if (typeof valueOf(level, name) === 'string') put(level, name, text)
  }
  write(FIRST, first)
  write(LAST, last)
  write([...FULL, 'name'], full)
  // Domains reserved for examples (RFC 2606).
  write(EMAIL, `${user}@example.${['com', 'net', 'org'][chanceKey(level.context.key, user) % 3] ?? 'com'}`)
  write(USER, user)
}

/** The name that the user's settings give. */
function chosenOf(level: Level, plain: readonly string[]): string | undefined {
  const value = plain.filter((one) => level.chosen.has(level.names.get(one) ?? '')).map((one) => valueOf(level, one))[0]
  return typeof value === 'string' ? value : undefined
}

/** Whether nothing says that an object with a name is something else than a person. */
function isUnknown(owner: string): boolean {
  return owner === '' || /^(item|entry|data|result|record|object|response|resource|profile)s?$/i.test(owner)
}

function personOf({ context: { key, index, variant }, pointer }: Level, local: Faker) {
  const place = index + variant
  const pools = namesOf(local)
  const count = pools.reduce((sum, { firsts, lasts }) => sum + firsts.length * lasts.length, 0)
  // The step has no factor in common with the count, so each number is used once before any is used again.
  let number =
    pointer === ''
      ? (chanceKey(key, 'person') + place * stepFor(count)) % count
      : draw(chanceKey(key, `person ${pointer}`), place) % count
  for (const { firsts, lasts } of pools) {
    const size = firsts.length * lasts.length
    if (number < size)
      return {
        first: firsts[number % firsts.length] ?? 'Ada',
        last: lasts[Math.floor(number / firsts.length)] ?? 'Byron',
      }
    number -= size
  }
  return { first: 'Ada', last: 'Byron' }
}

/** About 0.38 of the count, so that neighbours have little in common. */
function stepFor(count: number): number {
  let step = Math.floor(count * 0.381966)
  while (divisor(step, count) !== 1) step++
  return step
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other)
}

/** With fewer names that anyone may have, those of women and of men are used. */
const ENOUGH_NAMES = 100

interface NamePool {
  readonly firsts: readonly string[]
  readonly lasts: readonly string[]
}

/** The names that Faker draws from. In some languages a woman has another last name than her brother. */
function namesOf({ definitions }: Faker): readonly NamePool[] {
  const { first_name: first, last_name: last } = definitions.person
  const poolOf = (sex: 'generic' | 'female' | 'male') => ({
    firsts: first[sex] ?? first.generic ?? [],
    lasts: last[sex] ?? last.generic ?? [],
  })
  const shared = poolOf('generic')
  return shared.firsts.length >= ENOUGH_NAMES && shared.lasts.length > 0 ? [shared] : [poolOf('female'), poolOf('male')]
}

/** Both names in the order of the locale: 山田 太郎. */
function fullName({ definitions }: Faker, first: string, last: string): string {
  const forms = definitions.person.name.map(({ value }) => value)
  const form = forms.find((one) => one.replaceAll(/\{\{person\.(?:first|last)Name\}\}/g, '').trim() === '')
  return (form ?? '{{person.firstName}} {{person.lastName}}')
    .replace('{{person.firstName}}', () => first)
    .replace('{{person.lastName}}', () => last)
}

/** City, region, its code, postal code, country, its code, latitude, longitude. */
const PLACES = [
  ['Boston', 'Massachusetts', 'MA', '02108', 'United States', 'US', 42.3588, -71.0578],
  ['Chicago', 'Illinois', 'IL', '60601', 'United States', 'US', 41.8853, -87.6216],
  ['Denver', 'Colorado', 'CO', '80202', 'United States', 'US', 39.7528, -104.9992],
  ['Seattle', 'Washington', 'WA', '98101', 'United States', 'US', 47.6114, -122.3305],
  ['Austin', 'Texas', 'TX', '78701', 'United States', 'US', 30.2713, -97.7426],
  ['Toronto', 'Ontario', 'ON', 'M5H 2N2', 'Canada', 'CA', 43.6519, -79.3817],
  ['Vancouver', 'British Columbia', 'BC', 'V6B 1A1', 'Canada', 'CA', 49.2796, -123.1119],
  ['London', 'England', 'ENG', 'EC1A 1BB', 'United Kingdom', 'GB', 51.5202, -0.0973],
  ['Edinburgh', 'Scotland', 'SCT', 'EH1 1YZ', 'United Kingdom', 'GB', 55.9502, -3.1875],
  ['Dublin', 'Leinster', 'L', 'D02 AF30', 'Ireland', 'IE', 53.3398, -6.2538],
  ['Berlin', 'Berlin', 'BE', '10115', 'Germany', 'DE', 52.5323, 13.3846],
  ['Munich', 'Bavaria', 'BY', '80331', 'Germany', 'DE', 48.1355, 11.5716],
  ['Vienna', 'Vienna', '9', '1010', 'Austria', 'AT', 48.2092, 16.3728],
  ['Zurich', 'Zurich', 'ZH', '8001', 'Switzerland', 'CH', 47.3717, 8.5423],
  ['Paris', 'Île-de-France', 'IDF', '75001', 'France', 'FR', 48.8626, 2.3364],
  ['Lyon', 'Auvergne-Rhône-Alpes', 'ARA', '69002', 'France', 'FR', 45.7541, 4.8314],
  ['Madrid', 'Community of Madrid', 'MD', '28013', 'Spain', 'ES', 40.4203, -3.7058],
  ['Milan', 'Lombardy', '25', '20121', 'Italy', 'IT', 45.4726, 9.1932],
  ['Amsterdam', 'North Holland', 'NH', '1012 JS', 'Netherlands', 'NL', 52.3731, 4.8926],
  ['Stockholm', 'Stockholm County', 'AB', '111 29', 'Sweden', 'SE', 59.3251, 18.0711],
  ['Tokyo', 'Tokyo', '13', '100-0001', 'Japan', 'JP', 35.6841, 139.7527],
  ['Sydney', 'New South Wales', 'NSW', '2000', 'Australia', 'AU', -33.8688, 151.2093],
  ['Auckland', 'Auckland', 'AUK', '1010', 'New Zealand', 'NZ', -36.8485, 174.7633],
  ['Singapore', 'Central Region', '01', '049315', 'Singapore', 'SG', 1.2838, 103.8515],
] as const

const CITY = ['city', 'town', 'locality', 'cityname']
const STREET = ['street', 'address', 'county', 'addressline1', 'line1']
const REGION = ['state', 'region', 'province', 'stateprovince', 'administrativearea']
const REGION_CODE = ['statecode', 'regioncode', 'provincecode']
const POSTAL_CODE = ['zip', 'zipcode', 'postalcode', 'postcode']
const COUNTRY = ['country', 'countryname']
const COUNTRY_CODE = ['countrycode', 'countryiso', 'countryisocode']
const LATITUDE = ['lat', 'latitude']
const LONGITUDE = ['lng', 'lon', 'long', 'longitude']

/** City, region, postal code and country of one object are those of one place. */
export function agreeOnPlace(level: Level): void {
  const anchors = [CITY, POSTAL_CODE, [...COUNTRY, ...COUNTRY_CODE], LATITUDE]
  const found = anchors.filter((names) => firstOf(level, names) !== undefined)
  if (found.length === 0) return placeNowhere(level)
  if (found.length < 2 && firstOf(level, [...REGION, ...LONGITUDE]) === undefined) return
  const [city, region, regionCode, postalCode, country, countryCode, latitude, longitude] = placeFor(level)
  const write = (names: readonly string[], value: string | number | undefined) => {
    for (const name of names) if (typeof valueOf(level, name) === typeof value) put(level, name, value)
  }
  write(CITY, city)
  for (const name of REGION) write([name], isShort(level, name) ? regionCode : region)
  write(REGION_CODE, regionCode)
  write(POSTAL_CODE, postalCode)
  for (const name of COUNTRY) write([name], isShort(level, name) ? countryCode : country)
  write(COUNTRY_CODE, countryCode)
  write(LATITUDE, latitude)
  write(LONGITUDE, longitude)
}

/** The `state` of a document without an address, such as an invoice, is that of the document, and no region. */
function placeNowhere(level: Level): void {
  const { context, owner, pointer } = level
  const isPlace = /(address|location|place|venue|site|region|contact|person|geo)/i.test(owner)
  const state = valueOf(level, 'state')
  // A locale may have none, and says so by an error.
  const regions = context.local.rawDefinitions.location?.state ?? faker.definitions.location.state
  const isRegion = regions.some((one: unknown) => one === state)
  if (pointer !== '' || isPlace || !isRegion || firstOf(level, [...STREET, ...REGION.slice(1)]) !== undefined) return
  put(level, 'state', ['active', 'pending', 'done'][draw(chanceKey(context.key, 'state'), context.index) % 3])
}

/** Whether a member holds a code, such as `US`. */
function isShort(level: Level, name: string): boolean {
  const value = valueOf(level, name)
  return typeof value === 'string' && /^[\w-]{1,3}$/.test(value)
}

type AddressPlace = readonly [
  string,
  string,
  string | undefined,
  string,
  string,
  string,
  number | undefined,
  number | undefined,
]

/**
 * A place of the locale, whose city, region and postal code are each of its country, and whose coordinates are those of a city there;
 * undefined for a language that no country speaks.
 */
function localPlace({ context: { local, key, index, variant, now }, pointer }: Level): AddressPlace | undefined {
  const { language, country } = local.rawDefinitions.metadata ?? {}
  const tag = new Intl.Locale(language ?? 'en', country ? { region: country } : {})
  const countryCode = tag.maximize().region
  if (countryCode === undefined || !/^[A-Z]{2}$/.test(countryCode)) return undefined
  seedFaker({ seed: draw(chanceKey(key, `place ${pointer}`), index + variant), now, local })
  const countryName = new Intl.DisplayNames([tag.toString()], { type: 'region' }).of(countryCode) ?? countryCode
  const { state_abbr: codes } = local.definitions.location
  const regionCode =
    codes === faker.definitions.location.state_abbr ? undefined : local.location.state({ abbreviated: true })
  const known = PLACES.find(([, , , , , one]) => one === countryCode)
  return [
    local.location.city(),
    regionOf(local),
    regionCode,
    local.location.zipCode(),
    countryName,
    countryCode,
    known?.[6],
    known?.[7],
  ]
}

/** A place in a country that the member holds already, or else any; in a locale, one there. */
function placeFor(level: Level): AddressPlace {
  const { context, pointer } = level
  const local = context.local === faker ? undefined : localPlace(level)
  if (local) return local
  const holder = firstOf(level, [...COUNTRY, ...COUNTRY_CODE])
  const held = holder === undefined ? undefined : valueOf(level, holder)
  const there = PLACES.filter(([, , , , country, code]) => country === held || code === held)
  const fitting = there.length > 0 ? there : PLACES
  const chance = draw(chanceKey(context.key, `place ${pointer}`), context.index + context.variant)
  return fitting[chance % fitting.length] ?? PLACES[0]
}

/** Whether the name of a schema is that of a person. */
export function isPerson(owner: string): boolean {
  return /(user|person|people|customer|contact|member|owner|author|employee|patient|actor|account)/.test(
    plainName(owner),
  )
}
