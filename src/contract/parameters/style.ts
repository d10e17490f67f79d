import { parse as readRison } from 'rison2'
import { decodePercent } from '../pointer.ts'
import { partsIn, propertyOf, readDeep, readText } from './typed-text.ts'
import { shapeOf, typesOf } from '../schemas/shape.ts'
import { isObject, type Members } from '../../base/formats/json.ts'

/** How a parameter is serialised when it is not one plain text (OpenAPI 3.1, 4.8.12.2). */
export interface Style {
  /** The value; undefined when it was not sent. What is not of its type stays a text, for its schema to refuse. */
  read(sent: SentParameter): unknown
  /** Whether a query parameter of another name is a part of this one: `filter[name]` of `filter`. */
  claims(name: string): boolean
}

/** What a request sent for a parameter. */
interface SentParameter {
  /** Segment of the path, header, cookie or whole query, not decoded yet. */
  readonly text?: string | undefined
  /** The values of each query parameter, decoded. */
  readonly query: ReadonlyMap<string, readonly string[]>
}

type ReadText = (text: string) => unknown

/** How a parameter is written: its name, place, style and `explode`, with their defaults. */
interface ParameterForm {
  readonly name: string
  readonly style: string
  readonly explode: boolean
  readonly isQuery: boolean
  /** What was sent: the values of the query, or the text of another place. */
  own(sent: SentParameter): readonly string[]
  /** Decodes a text. The values of a query are decoded before, and those of headers and cookies are not encoded. */
  decode(text: string): string
}

export function styleOf(document: unknown, parameter: Members, schema: unknown): Style {
  const form = formOf(parameter)
  const { name, style, explode, isQuery } = form
  if (isObject(parameter.content)) return single(form, readJson)
  const types = typesOf(document, schema)
  if (types.includes('array')) {
    const readItem = readerOf(document, shapeOf(document, schema, 'any').items)
    return style === 'deepObject' ? deepList(name, readItem) : list(form, readItem)
  }
  const read = readerOf(document, schema)
  const one = single(form, (text) => read(undecorated(text, name, style)))
  if (!types.includes('object')) return one
  const deep = deepObject(name, document, schema)
  if (style === 'deepObject') return deep
  const members = createMembers(document, schema)
  const isText = types.some((type) => type !== 'object' && type !== 'null')
  const whole = isText ? one : isQuery && explode && style === 'form' ? spreadObject(members) : pairs(form, members)
  return isQuery ? either(deep, whole) : whole
}

/** `page[number]=2` beside `page=2`, and where a document leaves out `style: deepObject`. */
function either(first: Style, second: Style): Style {
  return {
    read: (sent) => first.read(sent) ?? second.read(sent),
    claims: (name) => first.claims(name) || second.claims(name),
  }
}

function formOf(parameter: Members): ParameterForm {
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
    decode: parameter.in === 'path' || parameter.in === 'querystring' ? decodePercent : (text) => text,
  }
}

function single({ own, decode }: ParameterForm, read: ReadText): Style {
  return {
    read: (sent) => {
      const [first] = own(sent)
      return first === undefined ? undefined : read(decode(first))
    },
    claims: () => false,
  }
}

function list({ own, decode, name, style, explode, isQuery }: ParameterForm, readItem: ReadText): Style {
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

function pairs({ own, decode, name, style, explode }: ParameterForm, members: ObjectMembers): Style {
  return {
    read: (sent) => {
      const [text] = own(sent)
      if (text === undefined) return undefined
      return readPairs(split(text, name, style, explode), explode, decode, members)
    },
    claims: () => false,
  }
}

function readerOf(document: unknown, schema: unknown): ReadText {
  const types = typesOf(document, schema)
  return (text) => readText(text, types)
}

/** A value that is documented as JSON. Flask-AppBuilder and Kibana also take Rison, which is JSON without what URLs escape: `(page:0)`. */
function readJson(text: string): unknown {
  const parse = /^!?\(/.test(text) ? readRison : JSON.parse
  try {
    return parse(text) as unknown
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

/** The members of an object: those that the schema names, and how any of them is read. */
interface ObjectMembers {
  readonly known: readonly string[]
  read(name: string, text: string): unknown
}

function createMembers(document: unknown, schema: unknown): ObjectMembers {
  return {
    known: [...shapeOf(document, schema, 'any').properties.keys()],
    read: (name, text) => readText(text, typesOf(document, propertyOf(document, schema, name))),
  }
}

/** `x,1,y,2`, or `x=1,y=2` by `explode`. */
function readPairs(
  parts: readonly string[],
  explode: boolean,
  plain: (text: string) => string,
  members: ObjectMembers,
): Record<string, unknown> {
  const pairs = explode
    ? parts.map((part): [string, string] => {
        const mark = part.indexOf('=')
        return mark < 0 ? [part, ''] : [part.slice(0, mark), part.slice(mark + 1)]
      })
    : parts.flatMap((part, index): [string, string][] => (index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : []))
  return Object.fromEntries(pairs.map(([name, text]) => [plain(name), members.read(plain(name), plain(text))]))
}

/** Each member is a query parameter of its own. */
function spreadObject(members: ObjectMembers): Style {
  return {
    read: ({ query }) => {
      const found = members.known.flatMap((name): [string, unknown][] => {
        const text = query.get(name)?.[0]
        return text === undefined ? [] : [[name, members.read(name, text)]]
      })
      return found.length === 0 ? undefined : Object.fromEntries(found)
    },
    claims: (name) => members.known.includes(name),
  }
}

/** `expand[]=a`, `expand[0]=a` or `expand=a`: OpenAPI does not define it, but documents have it. */
function deepList(name: string, readItem: ReadText): Style {
  const indexOf = (key: string) =>
    key.startsWith(`${name}[`) ? /^\[(\d*)\]$/.exec(key.slice(name.length))?.[1] : undefined
  return {
    claims: (key) => indexOf(key) !== undefined,
    read: ({ query }) => {
      const parts = [...query].flatMap(([key, texts]) => {
        const index = key === name ? '' : indexOf(key)
        return index === undefined ? [] : [{ index: Number(index), texts }]
      })
      if (parts.length === 0) return undefined
      return parts.toSorted((one, other) => one.index - other.index).flatMap(({ texts }) => texts.map(readItem))
    },
  }
}

/** `filter[name]=a`, and deeper. */
function deepObject(name: string, document: unknown, schema: unknown): Style {
  const claims = (key: string) => key.startsWith(`${name}[`) && key.endsWith(']')
  return {
    claims,
    read: ({ query }) => {
      const fields = [...query].flatMap(([key, texts]) => {
        // `filter[ids][]` is a list; of anything else the first counts.
        const counting = key.endsWith('[]') ? texts : texts.slice(0, 1)
        return claims(key) ? counting.map((text) => [partsIn(key.slice(name.length)), text] as const) : []
      })
      return fields.length === 0 ? undefined : readDeep(fields, schema, { document, listOf: (text) => text.split(',') })
    },
  }
}
