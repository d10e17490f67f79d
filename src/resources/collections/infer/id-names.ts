import { plainName, wordsOf } from '../../../base/formats/names.ts'

interface IdNaming {
  /** One of the items: `order`. */
  readonly noun: string
  /** The path parameter that names an item; undefined where no path has one. */
  readonly parameter: string | undefined
}

/** Names of members that identify any item. */
const IDS = ['uuid', 'guid', 'uid', 'sid', 'gid', 'entityid', 'recordid']

/** Members that hold another id of an item beside its `id`: the path may have either. */
export const OTHER_IDS = ['uuid', 'guid', 'documentId', 'publicId', 'public_id', 'objectId']

/** Names of members that identify items without an id, most likely first. */
const NATURAL = ['key', 'slug', 'name', 'code', 'number', 'login', 'username', 'sha', 'hash']

/** Short forms of such words. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  cd: ['code', 'number'],
  nbr: ['number'],
  no: ['number'],
  num: ['number'],
  token: ['secret'],
  index: ['number', 'iid'],
}

/** Words for the kind of a name, such as `name` in `domain_name`. */
const KINDS = new Set(['name', 'number', 'key', 'code', 'address', 'slug', 'value', 'expression', 'identifier'])

/** Kinds that are also written in a short form. */
const NUMBERS = new Set(['number', 'code'])

/** Kinds that are written as one word with their noun: `filepath` is also `path`. */
const ENDING = /^(?!user)[a-z]{3,}(path|name|number|key|code|slug|hash)$/

/** The plain names of members that may hold the id, most likely first. */
export function namesOfId({ noun, parameter }: IdNaming): string[] {
  const plain = plainName(noun)
  // `{name_or_id}` is the id, which other paths take alone, and a name finds it.
  const parts = parameter === undefined ? [] : namesIn(parameter).toSorted((a, b) => rankOf(a) - rankOf(b))
  const named = parts.map((one) => namesOfParameter(one, plain))
  const [sure, others] = [named.flatMap((one) => one.sure), named.flatMap((one) => one.others)]
  // `version_expression` of a version is rather its `version` than its `name`.
  const isOwn = parameter !== undefined && plainName(parameter).startsWith(plain)
  const natural = isOwn ? [plain, ...NATURAL] : [...NATURAL, plain]
  return [...new Set([...sure, 'id', `${plain}id`, ...IDS, ...others, ...natural])].filter((name) => name !== '')
}

function rankOf(name: string): number {
  return isIdName(name) ? 0 : 1
}

/** The names of members that a parameter means before an `id`, and after it. */
function namesOfParameter(parameter: string, noun: string): { readonly sure: string[]; readonly others: string[] } {
  const plain = plainName(parameter)
  const words = wordsOf(parameter)
  const end = words.at(-1) ?? ''
  const last = ENDING.exec(end)?.[1] ?? end
  const short = SHORT[last] ?? []
  // `order_id` of an order is also `id`; `issue_number` of an issue is also `number`.
  const shorter = plain.startsWith(noun) && plain !== noun ? [plain.slice(noun.length)] : []
  const own = plain === 'username' ? [plain, 'login', ...shorter] : [plain, ...shorter]
  if (isIdName(parameter) || plain === noun) return { sure: own, others: [last, ...short, `${plain}code`] }
  // `domain_name` is `name`, or `domain`; `country` is also `country_code`.
  const thing = words.slice(0, -1).join('')
  // `organization_number` is also `organization_cd`.
  const rest = KINDS.has(end)
    ? [thing, ...(NUMBERS.has(end) ? Object.keys(SHORT).map((one) => `${thing}${one}`) : [])]
    : []
  return { sure: [...own, last, ...short, ...rest, `${plain}code`, `${plain}id`], others: [] }
}

/** Whether a parameter means a number or a code, not a name. */
export function isIdName(parameter: string): boolean {
  return /(id|uuid|guid|sid|gid|hash)$/i.test(parameter)
}

/** `idOrKey` and `id_or_key` as `id` and `key`. */
export function namesIn(parameter: string): string[] {
  const parts = parameter.split(/Or(?=[A-Z])|[_-]or[_-]/)
  return parts.every((part) => part !== '') ? parts : [parameter]
}

/** The noun in the name of a parameter: `user` for `selectedUserId`, `group` for `group_slug`. */
export function thingOf(parameter: string): string | undefined {
  return wordsOf(parameter).findLast((word) => !isIdName(word) && !KINDS.has(word))
}

/** Members with the name that a person signs in with. */
export const LOGINS = ['login', 'username']

/** Members that name an item, and are unique among those of one parent. */
export const NAMING = ['name', 'slug', 'key', ...LOGINS]

/** Members that name a thing by themselves, most likely first: a name beside a login or a slug is for people. */
export const OWN_NAMES = [...LOGINS, 'slug', 'key', 'name', 'code', 'number', 'id', 'uuid']

/** Names of texts that are words, which no number is, and no UUID. */
export const WORDS: ReadonlySet<string> = new Set([...NAMING, 'title', 'handle'])
