import { faker } from '../faker.ts'
import { chanceKey, draw } from '../../engine/random.ts'
import { firstOf, type Level, put, valueOf } from './level.ts'
import { plainName } from '../../base/formats/names.ts'

const FIRST = ['firstname', 'givenname', 'forename']
const LAST = ['lastname', 'surname', 'familyname']
const FULL = ['fullname', 'displayname', 'realname', 'customername', 'contactname']
const EMAIL = ['email', 'emailaddress', 'mail', 'primaryemail', 'contactemail']
const USER = ['username', 'login', 'handle', 'nickname', 'screenname']

/** Names, e-mail address and login of one object are those of one person. No two documents of a collection have the same person. */
export function agreeOnPerson(level: Level): void {
  const hasParts = firstOf(level, FIRST) !== undefined || firstOf(level, LAST) !== undefined
  const isNamed = hasParts || firstOf(level, FULL) !== undefined || isPerson(level.owner)
  const hasAddress = firstOf(level, [...EMAIL, ...USER]) !== undefined
  if (!isNamed && !hasAddress) return
  const isAnonymous = !isNamed && typeof valueOf(level, 'name') === 'string'
  // An address beside the name of something else, such as a shop.
  if (isAnonymous && !isUnknown(level.owner)) return
  const { first, last } = personOf(level)
  const full = `${first} ${last}`
  const plain = (text: string) =>
    text
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^a-z]/g, '')
  const user = `${plain(first)}.${plain(last)}`
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

/** Whether nothing says that an object with a name is something else than a person. */
function isUnknown(owner: string): boolean {
  return owner === '' || /^(item|entry|data|result|record|object|response|resource|profile)s?$/i.test(owner)
}

function personOf({ context: { key, index, variant }, pointer }: Level) {
  const place = index + variant
  const { firsts, lasts } = names()
  const count = firsts.length * lasts.length
  // The step has no factor in common with the count, so each number is used once before any is used again.
  const number =
    pointer === ''
      ? (chanceKey(key, 'person') + place * stepFor(count)) % count
      : draw(chanceKey(key, `person ${pointer}`), place) % count
  return {
    first: firsts[number % firsts.length] ?? 'Ada',
    last: lasts[Math.floor(number / firsts.length) % lasts.length] ?? 'Byron',
  }
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

/** The names that Faker draws from. */
function names(): { readonly firsts: readonly string[]; readonly lasts: readonly string[] } {
  const { first_name: first, last_name: last } = faker.definitions.person
  return { firsts: first.generic ?? ['Ada'], lasts: last.generic ?? ['Byron'] }
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
  if (found.length < 2 && !(found.length === 1 && firstOf(level, [...REGION, ...LONGITUDE]) !== undefined)) return
  const [city, region, regionCode, postalCode, country, countryCode, latitude, longitude] = placeFor(level)
  const write = (names: readonly string[], value: string | number) => {
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

/** Whether a member holds a code, such as `US`. */
function isShort(level: Level, name: string): boolean {
  const value = valueOf(level, name)
  return typeof value === 'string' && value.length <= 3
}

/** A place in a country that the member holds already, or else any. */
function placeFor(level: Level) {
  const { context, pointer } = level
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
