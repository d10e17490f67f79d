import { stringifySorted } from '../../base/formats/json.ts'
import { type FoundChange, inPart, type PairContext, type SchemaChange } from './change.ts'
import { type DocumentPart, parametersOf, schemaOf } from './document-parts.ts'

export function compareParameters({ contracts, old, now, compare }: PairContext): FoundChange[] {
  const before = parametersOf(contracts.old, old)
  const after = parametersOf(contracts.now, now)
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)]
    if (!was) return is ? added(is) : []
    if (!is) return removed(was)
    const part = partOf(was)
    const places = { side: 'request', part, before: was.pointer, after: is.pointer } as const
    const changes = compare({ schemas: [schemaOf(was)] }, { schemas: [schemaOf(is)] }, 'request')
    return [
      ...requirement(was, is).map((one) => ({ ...one, ...places })),
      ...(formOf(was) === formOf(is)
        ? []
        : [{ kind: 'style', level: 'breaking', words: 'is serialised in another way', ...places } as const]),
      ...(is.value.deprecated === true && was.value.deprecated !== true
        ? [{ kind: 'deprecated', level: 'warning', words: 'is deprecated now', ...places } as const]
        : []),
      ...inPart(changes.map(asText), 'request', part),
    ]
  })
}

/** Any number is sent as a text, so a parameter that becomes a text still accepts it. */
function asText(change: SchemaChange): SchemaChange {
  const isText = change.kind === 'type' && change.pointer === '' && change.words.startsWith('is a string instead of')
  return isText ? { ...change, direction: 'widened' } : change
}

function partOf({ value }: DocumentPart): FoundChange['part'] {
  return { kind: 'parameter', in: String(value.in), name: String(value.name) }
}

function added(parameter: DocumentPart): FoundChange[] {
  const isRequired = parameter.value.required === true
  return [
    {
      kind: 'parameter-added',
      level: isRequired ? 'breaking' : 'compatible',
      words: isRequired ? 'is new and required' : 'is new and optional',
      side: 'request',
      part: partOf(parameter),
      after: parameter.pointer,
    },
  ]
}

function removed(parameter: DocumentPart): FoundChange[] {
  const words = 'is no longer documented'
  return [
    {
      kind: 'parameter-removed',
      level: 'breaking',
      words,
      side: 'request',
      part: partOf(parameter),
      before: parameter.pointer,
    },
  ]
}

function requirement(was: DocumentPart, is: DocumentPart): Pick<FoundChange, 'kind' | 'level' | 'words'>[] {
  const [had, has] = [was, is].map(({ value }) => value.required === true || value.in === 'path')
  if (had === has) return []
  return [
    {
      kind: 'required',
      level: has ? 'breaking' : 'compatible',
      words: has ? 'is required now' : 'is no longer required',
    },
  ]
}

/** How a parameter is written, with the defaults of OpenAPI 3.1, 4.8.12.2. */
function formOf({ value }: DocumentPart): string {
  const { in: place, style = place === 'query' || place === 'cookie' ? 'form' : 'simple' } = value
  const { explode = style === 'form', allowReserved = false } = value
  return stringifySorted([style, explode, allowReserved, value.content === undefined])
}
