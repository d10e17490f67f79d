import { decodePercent } from '../pointer.ts'
import type { Schema, Schemas } from '../schemas/schemas.ts'
import { encodePointer, isObject } from '../../formats/json.ts'

type Values = Readonly<Record<string, unknown>>

/** How a parameter is serialised when it is not one plain text (OpenAPI 3.1, 4.8.12.2). */
export interface Style {
  /** The value; undefined when it was not sent. What is not of its type stays a text, for its schema to refuse. */
  read(sent: Sent): unknown
  /** Whether a query parameter of another name is a part of this one: `filter[name]` of `filter`. */
  claims(name: string): boolean
}

/** What a request sent for a parameter. */
interface Sent {
  /** Segment of the path, header or cookie, not decoded yet. */
  readonly text?: string | undefined
  /** The values of each query parameter, decoded. */
  readonly query: ReadonlyMap<string, readonly string[]>
}

type Read = (text: string) => unknown

/** How a parameter is written: its name, place, style and `explode`, with their defaults. */
interface Form {
  readonly name: string
  readonly style: string
  readonly explode: boolean
  readonly isQuery: boolean
  /** What was sent: the values of the query, or the text of another place. */
  own(sent: Sent): readonly string[]
  /** Decodes a text. The values of a query are decoded before, and those of headers and cookies are not encoded. */
  decode(text: string): string
}

/** @param pointer of the schema of the parameter */
export function styleOf(parameter: Values, pointer: string, schemas: Schemas): Style {
  const form = formOf(parameter)
  const { name, style, explode, isQuery } = form
  if (isObject(parameter.content)) return single(form, readJson)
  const types = typesAt(pointer, schemas)
  if (types.includes('array')) return list(form, readerAt(`${schemas.locate(pointer)}/items`, schemas))
  if (types.includes('object')) {
    const members = createMembers(pointer, schemas)
    if (style === 'deepObject') return deepObject(name, members)
    return isQuery && explode && style === 'form' ? spreadObject(members) : pairs(form, members)
  }
  const read = readerAt(pointer, schemas)
  return single(form, (text) => read(undecorated(text, name, style)))
}

function formOf(parameter: Values): Form {
  const name = String(parameter.name)
  const usual = parameter.in === 'query' || parameter.in === 'cookie' ? 'form' : 'simple'
  const style = typeof parameter.style === 'string' ? parameter.style : usual
  const isQuery = parameter.in === 'query'
  return {
    name,
    style,
    explode: typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form',
    isQuery,
    own: ({ query, text }) => (isQuery ? (query.get(name) ?? []) : text === undefined ? [] : [text]),
    decode: parameter.in === 'path' ? decodePercent : (text) => text,
  }
}

function single({ own, decode }: Form, read: Read): Style {
  return {
    read: (sent) => {
      const [first] = own(sent)
      return first === undefined ? undefined : read(decode(first))
    },
    claims: () => false,
  }
}

function list({ own, decode, name, style, explode, isQuery }: Form, readItem: Read): Style {
  return {
    read: (sent) => {
      const texts = own(sent)
      if (texts.length === 0) return undefined
      if (isQuery && explode && style === 'form') return texts.map(readItem)
      return split(texts.join(','), name, style, explode).map((text) => readItem(decode(text)))
    },
    claims: () => false,
  }
}

function pairs({ own, decode, name, style, explode }: Form, members: Members): Style {
  return {
    read: (sent) => {
      const [text] = own(sent)
      if (text === undefined) return undefined
      return readPairs(split(text, name, style, explode), explode, decode, members)
    },
    claims: () => false,
  }
}

/** The types that a schema allows, also through `allOf`, `anyOf` and `oneOf`. */
export function typesAt(pointer: string, schemas: Schemas, depth = 0): readonly string[] {
  const schema: Schema = schemas.resolve(pointer) ?? {}
  if (schema.type !== undefined) return typeof schema.type === 'string' ? [schema.type] : schema.type
  if (depth > MOST_DEPTH) return []
  const at = schemas.locate(pointer)
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const held = schema[keyword]
    return Array.isArray(held) ? held.map((_, index) => `${at}/${keyword}/${index}`) : []
  })
  const types = parts.flatMap((part) => typesAt(part, schemas, depth + 1))
  if (types.length > 0) return [...new Set(types)]
  return schema.properties ? ['object'] : schema.items === undefined ? [] : ['array']
}

const MOST_DEPTH = 8

function readerAt(pointer: string, schemas: Schemas): Read {
  const types = typesAt(pointer, schemas)
  return (text) => readText(text, types)
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A text as a value of the first type that fits, or as a string. */
export function readText(text: string, types: readonly string[]): unknown {
  if ((types.includes('number') || types.includes('integer')) && NUMBER.test(text)) {
    const value = Number(text)
    return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d{1,40}$/.test(text) ? BigInt(text) : value
  }
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.includes('null') && (text === 'null' || (text === '' && !types.includes('string')))) return null
  return text
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Removes the prefix of a value: `.5` is 5 by `label`, `;id=5` by `matrix`. */
function undecorated(text: string, name: string, style: string): string {
  if (style === 'label') return text.replace(/^\./, '')
  return style === 'matrix' && text.startsWith(`;${name}=`) ? text.slice(name.length + 2) : text
}

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' }

function split(text: string, name: string, style: string, explode: boolean): string[] {
  if (text === '') return []
  if (style === 'label') return text.replace(/^\./, '').split(explode ? '.' : ',')
  if (style === 'matrix' && explode)
    return text
      .split(';')
      .slice(1)
      .map((part) => (part.startsWith(`${name}=`) ? part.slice(name.length + 1) : part))
  return undecorated(text, name, style).split(DELIMITERS[style] ?? ',')
}

/** The members of an object and how each is read; `known` are those that the schema names. */
interface Members {
  readonly known: readonly string[]
  read(path: readonly string[], text: string): unknown
}

function createMembers(pointer: string, schemas: Schemas): Members {
  const at = schemas.locate(pointer)
  const known = Object.keys(schemas.knownMembersAt(at)?.properties ?? schemas.resolve(at)?.properties ?? {})
  return {
    known,
    read: (path, text) => {
      const place = path.reduce((here, name) => `${schemas.locate(here)}/properties/${encodePointer(name)}`, at)
      return readText(text, typesAt(place, schemas))
    },
  }
}

/** `x,1,y,2`, or `x=1,y=2` by `explode`. */
function readPairs(
  parts: readonly string[],
  explode: boolean,
  plain: (text: string) => string,
  members: Members,
): Record<string, unknown> {
  const pairs = explode
    ? parts.map((part): [string, string] => {
        const mark = part.indexOf('=')
        return mark < 0 ? [part, ''] : [part.slice(0, mark), part.slice(mark + 1)]
      })
    : parts.flatMap((part, index): [string, string][] => (index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : []))
  return Object.fromEntries(pairs.map(([name, text]) => [plain(name), members.read([plain(name)], plain(text))]))
}

/** Each member is a query parameter of its own. */
function spreadObject(members: Members): Style {
  return {
    read: ({ query }) => {
      const found = members.known.flatMap((name): [string, unknown][] => {
        const text = query.get(name)?.[0]
        return text === undefined ? [] : [[name, members.read([name], text)]]
      })
      return found.length === 0 ? undefined : Object.fromEntries(found)
    },
    claims: (name) => members.known.includes(name),
  }
}

/** Deeper names are cut. */
const MOST_LEVELS = 8

/** `filter[name]=a`, and deeper. */
function deepObject(name: string, members: Members): Style {
  const claims = (key: string) => key.startsWith(`${name}[`) && key.endsWith(']')
  return {
    claims,
    read: ({ query }) => {
      const made: Record<string, unknown> = Object.create(null) as Record<string, unknown>
      for (const [key, texts] of query) {
        if (!claims(key)) continue
        const path = key
          .slice(name.length + 1, -1)
          .split('][')
          .slice(0, MOST_LEVELS)
        place(made, path, members.read(path, texts[0] ?? ''))
      }
      return Object.keys(made).length === 0 ? undefined : { ...made }
    },
  }
}

function place(object: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    object[name] = value
    return
  }
  const held = object[name]
  const inner = isObject(held) ? (held as Record<string, unknown>) : (Object.create(null) as Record<string, unknown>)
  object[name] = inner
  place(inner, rest, value)
}
