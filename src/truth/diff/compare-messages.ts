import { isWithin } from '../../contract/media-type.ts'
import { responseName } from '../../contract/schemas/documented.ts'
import { type OperationPart, type FoundChange, inPart, type PairContext } from './change.ts'
import { findAt, type DocumentPart, membersAt, schemaOf } from './document-parts.ts'

export function compareBodies(context: PairContext): FoundChange[] {
  const { contracts, old, now } = context
  const was = findAt(contracts.old, `${old.pointer}/requestBody`)
  const is = findAt(contracts.now, `${now.pointer}/requestBody`)
  const [had, has] = [was, is].map(({ value }) => value.content !== undefined)
  const places = { side: 'request', part: { kind: 'request-body' }, before: was.pointer, after: is.pointer } as const
  if (!had && !has) return []
  if (!has) return [{ kind: 'body-removed', level: 'breaking', words: 'is no longer documented', ...places }]
  const isRequired = is.value.required === true
  const level = isRequired ? 'breaking' : 'compatible'
  if (!had)
    return [{ kind: 'body-added', level, words: `is new and ${isRequired ? 'required' : 'optional'}`, ...places }]
  const words = isRequired ? 'is required now' : 'is no longer required'
  return [
    ...((was.value.required === true) === isRequired ? [] : [{ kind: 'required', level, words, ...places } as const]),
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
  const counterparts = before.map(([type]) => after.find(([other]) => isWithin(type, other)))
  const gained = after.filter(([type]) => !before.some(([other]) => isWithin(other, type) || isWithin(type, other)))
  const lost = side === 'request' ? 'is no longer accepted' : 'is no longer sent'
  return [
    ...before.flatMap(([mediaType, { pointer }], index): FoundChange[] => {
      const [, found] = counterparts[index] ?? []
      const typed = { ...part, mediaType }
      if (!found)
        return [
          {
            kind: 'media-type-removed',
            level: 'breaking',
            words: lost,
            side,
            part: typed,
            before: pointer,
            after: is.pointer,
          },
        ]
      return inPart(
        compare({ schemas: [`${pointer}/schema`] }, { schemas: [`${found.pointer}/schema`] }, side),
        side,
        typed,
      )
    }),
    ...gained.map(([mediaType, { pointer }]): FoundChange => {
      const words = side === 'request' ? 'is also accepted' : 'may be sent'
      return {
        kind: 'media-type-added',
        level: 'compatible',
        words,
        side,
        part: { ...part, mediaType },
        after: pointer,
      }
    }),
  ]
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
  return [{ kind: 'status-removed', level, words: 'is no longer documented', side: 'response', part, before: pointer }]
}

/** Clients have to expect errors; a success that they do not know may be one that they take for a failure. */
function addedStatus(status: string, { pointer }: DocumentPart, hasOthers: boolean): FoundChange[] {
  const level = !isSuccess(status) ? 'compatible' : hasOthers ? 'warning' : 'breaking'
  const part = { kind: 'response', status } as const
  return [{ kind: 'status-added', level, words: 'is new', side: 'response', part, after: pointer }]
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
    const found = after.get(name.toLowerCase())
    const part = { kind: 'response', status, header: name } as const
    const places = {
      side: 'response',
      part,
      before: header.pointer,
      after: found?.pointer ?? `${is.pointer}/headers`,
    } as const
    if (!found) return [{ kind: 'header-removed', level: 'breaking', words: 'is no longer sent', ...places }]
    const [had, has] = [header, found].map(({ value }) => value.required === true)
    const changes = compare({ schemas: [schemaOf(header)] }, { schemas: [schemaOf(found)] }, 'response')
    return [
      ...(had === has
        ? []
        : [
            {
              kind: 'required',
              level: had ? 'breaking' : 'compatible',
              words: had ? 'may now be missing' : 'is always sent now',
              ...places,
            } as const,
          ]),
      ...inPart(changes, 'response', part),
    ]
  })
}
