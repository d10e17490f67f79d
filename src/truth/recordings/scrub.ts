import { createHash } from 'node:crypto'
import { isObject, type Members } from '../../base/formats/json.ts'
import type { SeenData } from './collect.ts'

/** What is replaced, in the order of messages. */
const KINDS = [
  'e-mail addresses',
  'ids of users',
  'names of people',
  'phone numbers',
  'download addresses',
  'hashes',
] as const
type ScrubbedKind = (typeof KINDS)[number]

/** Says what a scrubbing did, by members. */
export interface ScrubReport {
  /** How many different values of each kind were replaced, and the members that had them. */
  readonly replaced: readonly {
    readonly kind: ScrubbedKind
    readonly values: number
    readonly members: readonly string[]
  }[]
  /** The members whose values are the service's own. */
  readonly kept: readonly string[]
}

const USER_ID =
  /^(?:(?:created|modified|updated|changed|deleted|owned|assigned|uploaded|approved|closed|sent)_?by(?:_?id)?|(?:.*_)?(?:user|owner|author|assignee|creator|editor|reviewer|approver)_?id|owner|author|assignee|creator)$/
const PERSON =
  /^(?:(?:first|last|middle|given|family|full|maiden|nick|display|user|owner|author|contact|person|recipient|sender)_?name|surname|login|salutation_?name)$/
const PHONE = /^(?:.*_)?(?:tele)?(?:phone|mobile|fax)(?:_?(?:number|no))?$/
const DOWNLOAD = /(?:download|content|signed|avatar|photo|picture|image|file|attachment)_?(?:url|uri|link|href)$/
const HASH = /^(?:.*_)?(?:hash|checksum|digest|fingerprint|e_?tag|md5|sha_?\d{1,3})$/
/** What only people have: beside it, `name` is one's own. */
const OF_PEOPLE =
  /^(?:e_?mail(?:_?address)?|first_?name|last_?name|birth_?(?:date|day)|date_of_birth|phone(?:_?number)?|login|user_?name)$/
const EMAIL = /[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+/gi
const WHOLE_EMAIL = new RegExp(`^${EMAIL.source}$`, 'i')
/** At the end of a path, what may be the end of an address is an extension. */
const EXTENSION = /(?<=\..*)\.[a-z\d]{1,5}$/i

function replaceEmails(text: string, name: string, other: (email: string) => string): string {
  const end = name === 'path' || name.endsWith('name') ? (EXTENSION.exec(text)?.[0] ?? '') : ''
  return text.slice(0, text.length - end.length).replaceAll(EMAIL, other) + end
}

/** One value where it stands. */
interface ScrubPlace {
  /** The name of the member, in snake case. */
  readonly name: string
  readonly written: string
  readonly holder: Members | undefined
}

/**
 * Replaces what tells people apart, everywhere by the same: equal values stay equal, and the replacements of a kind sort as the values
 * did, so that pages and orders stay. They depend on nothing else of the values.
 *
 * @param ids of documents, which requests name, so they stay
 */
export function scrubData(
  data: SeenData,
  ids: ReadonlySet<string>,
): { readonly data: SeenData; readonly report: ScrubReport } {
  const found = new Map(KINDS.map((kind) => [kind, { values: new Set<string>(), members: new Set<string>() }]))
  const kept = new Set<string>()
  const note = (kind: ScrubbedKind, value: string, member: string) => {
    found.get(kind)?.values.add(value)
    found.get(kind)?.members.add(member)
  }
  mapData(data, (value, place) => {
    const kind = kindOf(value, place, ids)
    if (typeof value === 'string')
      replaceEmails(value, place.name, (email) => {
        note('e-mail addresses', email, place.written)
        return email
      })
    if (kind) note(kind, String(value), place.written)
    else if (value !== null && value !== '' && place.name !== '') kept.add(place.written)
    return value
  })
  const replacements = new Map([...found].map(([kind, { values }]) => [kind, replace(kind, [...values])]))
  const scrubbed = mapData(data, (value, place) => {
    const kind = kindOf(value, place, ids)
    const other = kind && replacements.get(kind)?.get(String(value))
    if (other !== undefined) return typeof value === 'number' || typeof value === 'bigint' ? Number(other) : other
    return typeof value === 'string'
      ? replaceEmails(value, place.name, (email) => replacements.get('e-mail addresses')?.get(email) ?? email)
      : value
  })
  const replaced = [...found].flatMap(([kind, { values, members }]) =>
    values.size === 0 ? [] : [{ kind, values: values.size, members: [...members].toSorted() }],
  )
  const gone = new Set(replaced.flatMap(({ members }) => members))
  return { data: scrubbed, report: { replaced, kept: [...kept].filter((name) => !gone.has(name)).toSorted() } }
}

function kindOf(value: unknown, { name, holder }: ScrubPlace, ids: ReadonlySet<string>): ScrubbedKind | undefined {
  if (typeof value === 'number' || typeof value === 'bigint')
    return USER_ID.test(name) && !ids.has(String(value)) ? 'ids of users' : undefined
  if (typeof value !== 'string' || value === '' || WHOLE_EMAIL.test(value)) return undefined
  // Requests name it.
  if (ids.has(value)) return undefined
  if (name === 'value' && (holder?.type === 'USER' || holder?.type === 'GROUP')) return 'ids of users'
  if (USER_ID.test(name)) return 'ids of users'
  if (PERSON.test(name)) return 'names of people'
  if (name === 'name' && holder && Object.keys(holder).some((other) => OF_PEOPLE.test(snakeCase(other))))
    return 'names of people'
  if (PHONE.test(name) && /\d.*\d.*\d/.test(value)) return 'phone numbers'
  if (DOWNLOAD.test(name) && /^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(value)) return 'download addresses'
  return HASH.test(name) && /^["\w+/=:.-]{8,}$/.test(value) ? 'hashes' : undefined
}

/** Whether a value, or one in it, tells people apart, or is a secret address, by its name and its form. */
export function hasPersonal(value: unknown, name = '', holder?: Members): boolean {
  if (Array.isArray(value)) return value.some((one) => hasPersonal(one, name, holder))
  if (isObject(value)) return Object.entries(value).some(([member, one]) => hasPersonal(one, member, value))
  if (typeof value === 'string' && value.search(EMAIL) >= 0) return true
  return kindOf(value, { name: snakeCase(name), written: name, holder }, new Set()) !== undefined
}

/** `createdBy` is `created_by`. */
function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[-.\s]/g, '_')
    .toLowerCase()
}

const TOP: ScrubPlace = { name: '', written: '', holder: undefined }

type ScrubValue = (value: unknown, place: ScrubPlace) => unknown

function mapData({ fileSets, reportSchedules, collections }: SeenData, change: ScrubValue): SeenData {
  const mapEach = <Key>(all: ReadonlyMap<Key, Members>) =>
    new Map([...all].map(([key, members]) => [key, mapValue(members, TOP, change) as Members]))
  return {
    // The path of a file is its key too.
    fileSets: new Map([...fileSets].map(([id, files]) => [id, mapEach(files)])),
    reportSchedules: mapEach(reportSchedules),
    collections: new Map(
      [...collections].map(([name, held]) => [name, { ...held, documents: mapEach(held.documents) }]),
    ),
  }
}

function mapValue(value: unknown, place: ScrubPlace, change: ScrubValue): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => mapValue(element, place, change))
  if (!isObject(value)) return change(value, place)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      mapValue(inner, { name: snakeCase(name), written: name, holder: value }, change),
    ]),
  )
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A replacement for each value. Those of one form sort as the values do. */
function replace(kind: ScrubbedKind, values: readonly string[]): ReadonlyMap<string, string> {
  const forms = Map.groupBy(values, (value) => formOf(kind, value))
  return new Map(
    [...forms].flatMap(([form, alike]) => {
      const sorted = alike.toSorted(form === 'number' ? (a, b) => Number(a) - Number(b) : undefined)
      const others = sorted.map((value, index) => madeUp(kind, value, { form, number: index + 1, of: alike.length }))
      if (form === 'number') return sorted.map((value, index): [string, string] => [value, others[index] ?? ''])
      const ordered = others.toSorted()
      return sorted.map((value, index): [string, string] => [value, ordered[index] ?? ''])
    }),
  )
}

function formOf(kind: ScrubbedKind, value: string): string {
  if (kind === 'hashes') return `${value.length} ${/[A-F]/.test(value)}`
  if (kind !== 'ids of users') return ''
  return /^-?\d+$/.test(value) ? 'number' : UUID.test(value) ? 'uuid' : 'text'
}

interface MadeUp {
  readonly form: string
  /** From 1. */
  readonly number: number
  readonly of: number
}

/** Ids that look like no real one, and addresses that lead nowhere (RFC 2606). */
function madeUp(kind: ScrubbedKind, value: string, { form, number, of }: MadeUp): string {
  const counted = String(number).padStart(String(of).length, '0')
  switch (kind) {
    case 'e-mail addresses':
      return `person${counted}@example.com`
    case 'ids of users':
      if (form === 'number') return String(1000 + number)
      return form === 'uuid' ? `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` : `user-${counted}`
    case 'names of people':
      return `Person ${counted}`
    case 'phone numbers':
      return `+1555${String(number).padStart(7, '0')}`
    case 'download addresses':
      return `https://files.example.com/${counted}`
    case 'hashes':
      return hashLike(value, number)
  }
}

/** Hexadecimal digits in the case and number of the value; quotes of an entity tag stay. */
function hashLike(value: string, number: number): string {
  let digits = ''
  while (digits.length < value.length) digits += createHash('sha256').update(`${number} ${digits.length}`).digest('hex')
  const cut = digits.slice(0, value.length)
  const written = /[A-F]/.test(value) ? cut.toUpperCase() : cut
  return /^".*"$/.test(value) ? `"${written.slice(2)}"` : written
}
