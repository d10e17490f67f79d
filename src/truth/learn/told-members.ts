import { escapeRegExp } from '../../base/escape-reg-exp.ts'
import { plainName } from '../../base/formats/names.ts'
import { isObject, type Members } from '../../base/formats/json.ts'

/**
 * The members that an error names, in its texts or as the name of a list of them: `{"title": ["This field is required."]}`. Of those that no
 * text names as they are written, the ones that two words name: `username` for "User name is missing".
 */
export function toldMembers(error: unknown, names: readonly string[]): Set<string> {
  const words = textsIn(error).map((text) => text.split(/[^\w-]+/))
  const single = new Set(words.flat())
  const told = names.filter((name) => single.has(name))
  if (told.length > 0) return new Set(told)
  const pairs = new Set(words.flatMap((some) => some.slice(1).map((word, at) => plainName(`${some[at] ?? ''}${word}`))))
  return new Set(names.filter((name) => pairs.has(plainName(name))))
}

/** Whether an error names a value: "invalid color: greenish". */
export function tellsValue(error: unknown, value: string): boolean {
  return textsIn(error).some((text) => new RegExp(`(?<!\\w)${escapeRegExp(value)}(?!\\w)`).test(text))
}

/** The members whose values an error quotes: `name` for "DNS Name 'shop.example' is not canonical". */
export function quotedMembers(error: unknown, body: Members): Set<string> {
  const texts = textsIn(error)
  const isQuoted = (value: unknown) =>
    typeof value === 'string' &&
    value !== '' &&
    texts.some((text) => text.includes(`'${value}'`) || text.includes(`"${value}"`))
  return new Set(Object.keys(body).filter((name) => isQuoted(body[name])))
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, one]) => [...(Array.isArray(one) ? [name] : []), ...textsIn(one)])
}
