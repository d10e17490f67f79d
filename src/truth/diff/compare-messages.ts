import { isWithin } from '../../contract/media-type.ts'
import { responseName } from '../../contract/schemas/documented.ts'
import { stringifySorted } from '../../base/formats/json.ts'
import { found, type FoundChange, inPart, type OperationPart, type PairContext, type SchemaChange } from './change.ts'
import { findAt, type DocumentPart, membersAt, parametersOf, schemaOf } from './document-parts.ts'
import type { Conjunction } from './schema-view.ts'

export function compareBodies(context: PairContext): FoundChange[] {
  const { contracts, old, now } = context
  const was = findAt(contracts.old, `${old.pointer}/requestBody`)
  const is = findAt(contracts.now, `${now.pointer}/requestBody`)
  const [had, has] = [was, is].map(({ value }) => value.content !== undefined)
  const place = { side: 'request', part: { kind: 'request-body' }, before: was.pointer, after: is.pointer } as const
  const [wasRequired, isRequired] = [was, is].map(({ value }) => value.required === true)
  const level = isRequired ? 'breaking' : 'compatible'
  if (!had && !has) return []
  if (!has) return [found('body-removed', 'breaking', 'is no longer documented', place)]
  if (!had) return [found('body-added', level, `is new and ${isRequired ? 'required' : 'optional'}`, place)]
  const words = isRequired ? 'is required now' : 'is no longer required'
  return [
    ...(wasRequired === isRequired ? [] : [found('required', level, words, place)]),
    ...compareContent(context, [was, is], { kind: 'request-body' }),
  ]
}

type ContentPart = Extract<OperationPart, { kind: 'request-body' | 'response' }>

/** The media types of a body, and the schema of each. */
function compareContent(
  { contracts, compare }: PairContext,
  [was, is]: readonly [DocumentPart, DocumentPart],
  part: ContentPart,
): FoundChange[] {
  const side = part.kind === 'response' ? 'response' : 'request'
  const before = [...membersAt(contracts.old, `${was.pointer}/content`)]
  const after = [...membersAt(contracts.now, `${is.pointer}/content`)]
  const gained = after.filter(([type]) => !before.some(([other]) => isWithin(other, type) || isWithin(type, other)))
  const [lost, sent] =
    side === 'request' ? ['is no longer accepted', 'is also accepted'] : ['is no longer sent', 'may be sent']
  return [
    ...before.flatMap(([mediaType, { pointer }]) => {
      const [, other] = after.find(([type]) => isWithin(mediaType, type)) ?? []
      const typed = { ...part, mediaType }
      const place = { side, part: typed, before: pointer, after: is.pointer } as const
      if (!other) return [found('media-type-removed', 'breaking', lost, place)]
      return inPart(compare(schemaIn(pointer), schemaIn(other.pointer), side), side, typed)
    }),
    ...gained.map(([mediaType, { pointer }]) =>
      found('media-type-added', 'compatible', sent, { side, part: { ...part, mediaType }, after: pointer }),
    ),
  ]
}

function schemaIn(media: string): Conjunction {
  return { schemas: [`${media}/schema`] }
}

export function compareResponses(context: PairContext): FoundChange[] {
  const { contracts, old, now } = context
  const before = membersAt(contracts.old, `${old.pointer}/responses`)
  const after = membersAt(contracts.now, `${now.pointer}/responses`)
  const common = [...before.keys()].filter((status) => counterpart(status, after) !== undefined)
  return [
    ...[...before].flatMap(([status, was]): FoundChange[] => {
      const other = counterpart(status, after)
      const is = other === undefined ? undefined : after.get(other)
      if (!is) return removedStatus(status, was)
      const part = { kind: 'response', status } as const
      return [...compareHeaders(context, [was, is], status), ...compareContent(context, [was, is], part)]
    }),
    ...[...after].flatMap(([status, is]) =>
      counterpart(status, before) === undefined ? addedStatus(status, is, common.some(isSuccess)) : [],
    ),
  ]
}

/** The documented response of a status, or of its range. */
function counterpart(status: string, responses: ReadonlyMap<string, DocumentPart>): string | undefined {
  if (responses.has(status)) return status
  return /^\d{3}$/.test(status) ? responseName(Number(status), Object.fromEntries(responses)) : undefined
}

function isSuccess(status: string): boolean {
  return /^[23]/.test(status)
}

function removedStatus(status: string, { pointer }: DocumentPart): FoundChange[] {
  const level = isSuccess(status) ? 'breaking' : 'warning'
  const part = { kind: 'response', status } as const
  return [found('status-removed', level, 'is no longer documented', { side: 'response', part, before: pointer })]
}

/** Clients have to expect errors; a success that they do not know may be one that they take for a failure. */
function addedStatus(status: string, { pointer }: DocumentPart, hasOthers: boolean): FoundChange[] {
  const level = !isSuccess(status) ? 'compatible' : hasOthers ? 'warning' : 'breaking'
  const part = { kind: 'response', status } as const
  return [found('status-added', level, 'is new', { side: 'response', part, after: pointer })]
}

function compareHeaders(
  { contracts, compare }: PairContext,
  [was, is]: readonly [DocumentPart, DocumentPart],
  status: string,
) {
  const after = new Map(
    [...membersAt(contracts.now, `${is.pointer}/headers`)].map(([name, header]) => [name.toLowerCase(), header]),
  )
  return [...membersAt(contracts.old, `${was.pointer}/headers`)].flatMap(([name, header]): FoundChange[] => {
    if (name.toLowerCase() === 'content-type') return []
    const other = after.get(name.toLowerCase())
    const part = { kind: 'response', status, header: name } as const
    const place = {
      ...({ side: 'response', part } as const),
      before: header.pointer,
      after: other?.pointer ?? `${is.pointer}/headers`,
    }
    if (!other) return [found('header-removed', 'breaking', 'is no longer sent', place)]
    const [had, has] = [header, other].map(({ value }) => value.required === true)
    const words = had ? 'may now be missing' : 'is always sent now'
    const changes = compare({ schemas: [schemaOf(header)] }, { schemas: [schemaOf(other)] }, 'response')
    return [
      ...(had === has ? [] : [found('required', had ? 'breaking' : 'compatible', words, place)]),
      ...inPart(changes, 'response', part),
    ]
  })
}

export function compareParameters({ contracts, old, now, compare }: PairContext): FoundChange[] {
  const before = parametersOf(contracts.old, old)
  const after = parametersOf(contracts.now, now)
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)]
    const { in: place, name } = (was ?? is)?.value ?? {}
    const part = { kind: 'parameter', in: String(place), name: String(name) } as const
    const at = { side: 'request', part, before: was?.pointer, after: is?.pointer } as const
    if (!is) return [found('parameter-removed', 'breaking', 'is no longer documented', at)]
    if (!was) {
      const isRequired = is.value.required === true
      const level = isRequired ? 'breaking' : 'compatible'
      return [found('parameter-added', level, `is new and ${isRequired ? 'required' : 'optional'}`, at)]
    }
    const [had, has] = [was, is].map(({ value }) => value.required === true || value.in === 'path')
    const words = has ? 'is required now' : 'is no longer required'
    const isDeprecated = is.value.deprecated === true && was.value.deprecated !== true
    const changes = compare({ schemas: [schemaOf(was)] }, { schemas: [schemaOf(is)] }, 'request')
    return [
      ...(had === has ? [] : [found('required', has ? 'breaking' : 'compatible', words, at)]),
      ...(formOf(was) === formOf(is) ? [] : [found('style', 'breaking', 'is serialised in another way', at)]),
      ...(isDeprecated ? [found('deprecated', 'warning', 'is deprecated now', at)] : []),
      ...inPart(changes.map(asText), 'request', part),
    ]
  })
}

/** Any number is sent as a text, so a parameter that becomes a text still accepts it. */
function asText(change: SchemaChange): SchemaChange {
  const isText = change.kind === 'type' && change.pointer === '' && change.words.startsWith('is a string instead of')
  return isText ? { ...change, direction: 'widened' } : change
}

/** How a parameter is written, with the defaults of OpenAPI 3.1, 4.8.12.2. */
function formOf({ value }: DocumentPart): string {
  const { in: place, style = place === 'query' || place === 'cookie' ? 'form' : 'simple' } = value
  const { explode = style === 'form', allowReserved = false } = value
  return stringifySorted([style, explode, allowReserved, value.content === undefined])
}
