import type { Contract, Operation } from '../../contract/contract.ts'
import { isNamedElsewhere, listedParameters } from '../../contract/parameters/parameters.ts'
import { locate, valueAt } from '../../contract/pointer.ts'
import { asList, asObject, encodePointer, type Members } from '../../base/formats/json.ts'

/** An object of a document and its pointer, references followed. */
export interface DocumentPart {
  readonly value: Members
  readonly pointer: string
}

/** What is at a pointer; an empty object where there is nothing. */
export function findAt({ document }: Contract, at: string): DocumentPart {
  const { value, pointer } = locate(document, at)
  return { value: asObject(value), pointer }
}

/** The members of a map at a pointer, each with references followed. */
export function membersAt(contract: Contract, at: string): ReadonlyMap<string, DocumentPart> {
  const { value, pointer } = findAt(contract, at)
  const names = Object.keys(value).filter((name) => !name.startsWith('x-'))
  return new Map(names.map((name) => [name, findAt(contract, `${pointer}/${encodePointer(name)}`)]))
}

/** The parameters of an operation and its path, by what identifies them: place and name, for those of the path the position. */
export function parametersOf(contract: Contract, { path, pointer }: Operation): ReadonlyMap<string, DocumentPart> {
  const found = new Map<string, DocumentPart>()
  const order = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  for (const at of listedParameters(contract.document, pointer)) {
    const one = findAt(contract, at)
    const [place, name] = [String(one.value.in), String(one.value.name)]
    if (isNamedElsewhere(place, name)) continue
    const key = place === 'header' ? name.toLowerCase() : place === 'path' ? String(order.indexOf(name)) : name
    found.set(`${place} ${key}`, one)
  }
  return found
}

/** The pointer of the schema of a parameter or header, which may stand in its `content`. */
export function schemaOf({ value, pointer }: DocumentPart): string {
  const [media] = Object.keys(asObject(value.content))
  return `${pointer}${media === undefined ? '' : `/content/${encodePointer(media)}`}/schema`
}

/** What a client needs to use an operation: one of these sets of credentials, each named by what it is. */
export function credentialsOf({ document }: Contract, { pointer }: Operation): readonly (readonly string[])[] {
  const operation = valueAt(document, pointer)
  const listed = asList(asObject(operation).security ?? document.security)
  if (listed.length === 0) return [[]]
  return listed.map((one) =>
    Object.entries(asObject(one)).flatMap(([name, scopes]) => {
      const { value } = locate(document, `/components/securitySchemes/${encodePointer(name)}`)
      const scheme = credentialName(asObject(value), name)
      return [scheme, ...asList(scopes).map((scope) => `${scheme} with the scope ${String(scope)}`)]
    }),
  )
}

function credentialName({ type, in: place, name, scheme }: Members, written: string): string {
  if (type === 'apiKey') return `the ${String(place)} ${place === 'header' ? String(name).toLowerCase() : String(name)}`
  if (type === 'http') return `HTTP ${String(scheme).toLowerCase()} credentials`
  return typeof type === 'string' ? `${type} credentials` : written
}
