import { isMadeByFlaskAppBuilder } from '../../../contract/load/document-generators.ts'
import type { Operation } from '../../../contract/contract.ts'
import { follow, valueAt } from '../../../contract/pointer.ts'
import { listedParameters } from '../../../contract/parameters/parameters.ts'
import { type Shape, shapeOf } from '../../../contract/schemas/shape.ts'
import { asList, asObject, encodePointer, isObject, type Members } from '../../../base/formats/json.ts'
import { comparableOf } from './comparable.ts'
import type { ItemMember, ItemMembers } from './item-members.ts'
import type { ListParameter, Meaning } from './list-parameter.ts'
import type { Expandable } from '../related/related-members.ts'
import { type Input, meaningOf } from './meaning-of.ts'
import { headerWords } from './pages/page-headers.ts'
import { isPaging, sentenceOf } from './parameter-names.ts'
import { keyOf } from '../../../base/formats/plurals.ts'
import { wordsOf } from '../../../base/formats/names.ts'

interface ListParameterContext {
  readonly document: unknown
  readonly items: ItemMembers
  /** Called where a parameter asks for related items. */
  readonly related?: () => Expandable
}

/** What the documented query parameters of a list mean. */
export function readListParameters(
  operation: Pick<Operation, 'pointer' | 'parameters'>,
  reading: ListParameterContext,
): readonly ListParameter[] {
  const { document } = reading
  const inputs = [...documentedIn('query', operation, document)].flatMap(([name, parameter]) => {
    const shape = shapeOf(document, schemaOf(parameter), 'any')
    const input = {
      ...{ name, path: [name], words: wordsOf(plainly(name)), shape, description: textOf(parameter, shape) },
      isRequired: parameter.required === true,
    }
    return withParts(input, { document, nameOf: (part, holder) => `${holder}[${part}]`, noun: '' })
  })
  return understand(inputs, reading)
}

/** The same of headers: those about pages, such as `X-Page`, `X-Cursor` or `x-ms-continuation`. */
export function readHeaderParameters(
  operation: Pick<Operation, 'pointer'>,
  reading: ListParameterContext,
): readonly ListParameter[] {
  const { document } = reading
  const inputs = [...documentedIn('header', operation, document)].flatMap(([name, parameter]) => {
    const shape = shapeOf(document, schemaOf(parameter), 'any')
    const described = { name, path: [name], shape, description: textOf(parameter, shape) }
    const words = headerWords(name).find((one) => isPaging(keyOf(one)))
    return words ? [{ ...described, words }] : []
  })
  return understand(inputs, reading)
}

/** The parameters of a place, by name. */
export function documentedIn(
  place: string,
  { pointer }: Pick<Operation, 'pointer'>,
  document: unknown,
): Map<string, Members> {
  const documented = new Map<string, Members>()
  for (const at of listedParameters(document, pointer)) {
    const parameter = follow(document, valueAt(document, at))
    if (isObject(parameter) && parameter.in === place) documented.set(String(parameter.name), parameter)
  }
  return documented
}

/** The same of the members of a body, for searches by POST. @param schema of the body */
export function readBodyParameters(
  schema: unknown,
  reading: ListParameterContext,
  noun = '',
): readonly ListParameter[] {
  const shape = shapeOf(reading.document, schema, 'any')
  const whole = { name: '', path: [], words: [], shape, description: '' }
  return understand(withParts(whole, { document: reading.document, nameOf: pointerOfPart, noun }, 4).slice(1), reading)
}

const pointerOfPart = (part: string, name: string) => `${name}/${encodePointer(part)}`

/** `StartTime>` is Twilio's name for the lower bound; `pagination[page]` is a part of an object that the document does not have. */
function plainly(name: string): string {
  return name
    .replace(/>=?$/, ' from')
    .replace(/<=?$/, ' to')
    .replace(/^(?:pagination|paging|options)\[(.+)\]$/, '$1')
}

export function schemaOf({ schema, content }: Members): unknown {
  const [media] = Object.values(asObject(content))
  return isObject(media) ? media.schema : schema
}

export function textOf({ description }: Members, { keywords }: Shape): string {
  return [description, keywords.description].find((text) => typeof text === 'string') ?? ''
}

/** Names of objects that hold filters, and that name no member themselves. */
const CONTAINERS = new Set(['filter', 'filters', 'where', 'pagination', 'paging', 'criteria', 'query', 'q', 'options'])

interface PartContext {
  readonly document: unknown
  nameOf(part: string, name: string): string
  /** Of an item: an object of that name holds filters. */
  readonly noun: string
}

/** An input, and the parts that its schema names: `page[number]` and `page[size]` of `page`. */
function withParts(input: Input, context: PartContext, levels = 3): readonly Input[] {
  const { document, nameOf, noun } = context
  if (levels === 0 || input.shape.types.has('array')) return [input]
  const { words } = input
  // `{ flows: { name: { any: […] } } }` in the search of flows.
  const isContainer = (words.length === 1 && CONTAINERS.has(words[0] ?? '')) || keyOf(words) === keyOf(wordsOf(noun))
  const outer = isContainer ? [] : words
  const parts = [...input.shape.properties].flatMap(([part, schema]) => {
    const shape = shapeOf(document, schema, 'any')
    const inner = {
      name: nameOf(part, input.name),
      path: [...input.path, part],
      words: [...outer, ...wordsOf(part)],
      shape,
      description: textOf({}, shape),
    }
    return withParts(inner, context, levels - 1)
  })
  return [input, ...parts]
}

/** The size of a page that a description says where the schema has no default: "Page size (default: 25)", "defaults to 30". */
function saidSize(description: string): number | undefined {
  const [, before, after] =
    /\bdefaults?(?: (?:value|size|is|to|of))*:? ?(\d{1,4})\b|\b(\d{1,4}) by default\b/i.exec(description) ?? []
  const size = Number(before ?? after ?? 0)
  return size > 0 ? size : undefined
}

function understand(
  inputs: readonly Input[],
  { document, items, related }: ListParameterContext,
): readonly ListParameter[] {
  const names = new Set(inputs.map(({ words }) => keyOf(words)))
  const countsFromZero = isMadeByFlaskAppBuilder(asObject(document))
  return inputs.flatMap((input): ListParameter[] => {
    const meant = meaningOf({ ...input, countsFromZero }, items, names)
    const meaning = meant.kind === 'expand' || meant.kind === 'fields' ? { ...meant, related: related?.() } : meant
    const { default: byDefault } = input.shape.keywords
    const said = meaning.kind === 'size' ? saidSize(input.description) : undefined
    const usual = byDefault ?? said ?? (meaning.kind === 'hidden' ? false : undefined)
    // The meaning of an object is that of its members.
    const isHolder = inputs.some((other) => other !== input && input.path.every((one, at) => other.path[at] === one))
    if (isHolder && (meaning.kind === 'unknown' || [...input.shape.types].every((type) => type === 'object'))) return []
    const { name, path, isRequired, shape } = input
    const counts = usual !== undefined && mayCount(usual, meaning, shape)
    const values = shape.keywords.enum ?? shapeOf(document, shape.items).keywords.enum
    return [
      {
        ...{ name, path, meaning, says: sentenceOf(meaning, counts ? usual : undefined) },
        ...(counts ? { usual } : {}),
        ...(Array.isArray(values) ? { values, ...(isRequired ? { isRequired } : {}) } : {}),
      },
    ]
  })
}

/** Whether new items get the default of a filter. They cannot get a search text or a value within bounds. */
function mayCount(usual: unknown, meaning: Meaning, shape: Shape): boolean {
  if (meaning.kind === 'equal') return isOneOf(usual, shape, meaning.member)
  return meaning.kind !== 'text' && meaning.kind !== 'range'
}

/** Whether the default of a filter is a value that items have: some documents write `none`, `any` or `null` for no filter. */
function isOneOf(usual: unknown, { keywords }: Shape, member: ItemMember): boolean {
  const named = [keywords.enum, member.values].flatMap((list) => asList(list))
  return [usual]
    .flat()
    .every((one) => comparableOf(member, one) !== undefined && (member.kind === 'boolean' || named.includes(one)))
}
