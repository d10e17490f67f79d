import { isObject, type Members } from '../../base/formats/json.ts'

/** The members that an error names, in its texts or as the name of a list of them: `{"title": ["This field is required."]}`. */
export function toldMembers(error: unknown, names: readonly string[]): Set<string> {
  const words = new Set(textsIn(error).flatMap((text) => text.split(/[^\w-]+/)))
  return new Set(names.filter((name) => words.has(name)))
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
