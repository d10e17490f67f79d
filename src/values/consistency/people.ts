import { faker } from '../faker.ts'
import { chanceKey, draw } from '../../engine/random.ts'
import { isPerson } from '../believable-text.ts'
import { firstOf, type Level, put, valueOf } from './level.ts'

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
