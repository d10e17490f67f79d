import { rememberingAll } from '../base/cache.ts'
import type { Contract, Operation } from './contract.ts'
import { jsonTypeOf, responseName } from './schemas/documented.ts'
import { METHODS } from './load/document-structure.ts'
import { isObjectAlone, readFields } from './parameters/typed-text.ts'
import { bareType, isJson, isWithin } from './media-type.ts'
import { createUnknownMembers, schemaAt } from './schemas/known-members.ts'
import { type ParameterSources, readParameters } from './parameters/parameters.ts'
import { ACCEPT_ALL, type Check, type Schemas } from './schemas/schemas.ts'
import { keyParameters, keyRequirements, readSecurityRequirements, type SecurityRules } from './parameters/security.ts'
import { keyParts } from './template.ts'
import { xmlValue } from './xml-value.ts'
import { asObject, encodePointer, isObject, type Members } from '../base/formats/json.ts'

/** What operations are compiled from. */
export interface OperationSources extends ParameterSources {
  readonly keys: SecurityRules
  /** The path of the first server of the first that has any. */
  basePathOf(...holders: readonly Members[]): string
}

/** The operations of a valid document, in its order. */
export function readOperations(readings: OperationSources): Contract['operations'] {
  const paths = asObject(readings.document.paths)
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): Operation[] => {
      const held = isObject(item) ? item[method] : undefined
      if (!isObject(item) || !isObject(held)) return []
      const basePath = readings.basePathOf(held, item, readings.document)
      return [{ ...readOperation(path, method, held, readings), basePath }]
    }),
  )
}

function readOperation(
  path: string,
  method: string,
  held: Members,
  readings: OperationSources,
): Omit<Operation, 'basePath'> {
  const { document, schemas, keys } = readings
  const pointer = `/paths/${encodePointer(path)}/${method}`
  const at = { document, line: `${method.toUpperCase()} ${path}` }
  const declared = readSecurityRequirements(held, at, keys)
  const takesBearer = declared.some((all) => all.some(({ word }) => word === 'Bearer'))
  const listed = readParameters(pointer, path, { ...readings, takesBearer })
  const ofKeys = keyParameters(held, document, listed)
  const parameters = listed.filter((parameter) => !ofKeys.includes(parameter))
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const claiming = query.flatMap(({ style }) => (style ? [style] : []))
  const isWhole = parameters.some((parameter) => parameter.in === 'querystring')
  return {
    operationId: String(held.operationId),
    method: method.toUpperCase(),
    path,
    pointer,
    extensions: Object.fromEntries(Object.entries(held).filter(([name]) => name.startsWith('x-'))),
    securityRequirements: [...declared, ...keyRequirements(held, at, ofKeys)],
    parameters,
    queryNames: new Set([
      ...query.map(({ name }) => name),
      ...keys.locations.flatMap((location) => (location.in === 'query' ? [location.name] : [])),
      ...keyParts(path).query.map(([name]) => name),
    ]),
    ...(claiming.length > 0 || isWhole
      ? { claims: (name: string) => isWhole || claiming.some((style) => style.claims(name)) }
      : {}),
    ...readBodies(pointer, readings),
    ...readResponses(pointer, held, schemas),
  }
}

type Bodies = Pick<
  Operation,
  | 'bodyRequired'
  | 'bodySource'
  | 'bodyTypes'
  | 'bodyMedia'
  | 'readForm'
  | 'readXml'
  | 'checkBody'
  | 'unknownMembers'
  | 'knownMembers'
>

function readBodies(pointer: string, { document, schemas, placeOf }: OperationSources): Bodies {
  const at = schemas.locate(`${pointer}/requestBody`)
  const body = schemas.resolve(at)
  const types = isObject(body?.content) ? Object.keys(body.content) : []
  const json = types.find(isJson) ?? types[0]
  const mediaAt = (type: string) => `${at}/content/${encodePointer(type)}`
  const schemaOf = (type: string) => `${mediaAt(type)}/schema`
  const mediaOf = (type: string): Members => schemas.resolve(mediaAt(typeOf(type) ?? type)) ?? {}
  const compile = (type: string | undefined): Check =>
    type !== undefined && schemas.resolve(schemaOf(type)) ? schemas.compile(schemaOf(type), 'request') : ACCEPT_ALL
  const check = compile(json)
  const shape = json === undefined ? undefined : schemas.knownMembersAt(schemaOf(json))
  // By the documented type: clients may send any name that lies in a range such as `text/*`.
  const checkOf = rememberingAll(compile)
  // JSON objects are read the usual way, anything else by its media type.
  const isUsual = types.every(
    (type) => bareType(type) === 'application/json' && isObjectAlone(document, schemas.resolve(schemaOf(type))),
  )
  const typeOf = (mediaType: string) => types.find((one) => isWithin(mediaType, one)) ?? json
  return {
    bodyRequired: body?.required === true,
    bodySource: () => placeOf(`${pointer}/requestBody`),
    ...(isUsual ? {} : { bodyTypes: types.map(bareType) }),
    bodyMedia: mediaOf,
    readForm: (fields, mediaType) => readFields(fields, document, mediaOf(mediaType)),
    readXml: (tree, mediaType) => xmlValue(tree, document, mediaOf(mediaType).schema),
    checkBody: isUsual
      ? check
      : (value, mediaType) => (mediaType === undefined ? check : checkOf(typeOf(mediaType)))(value),
    unknownMembers: createUnknownMembers(shape),
    knownMembers: (place) => Object.keys(schemaAt(shape, place)?.properties ?? {}),
  }
}

function readResponses(
  pointer: string,
  held: Members,
  schemas: Schemas,
): Pick<Operation, 'checkResponse' | 'acceptsResponse'> {
  const responses = asObject(held.responses)
  const checks = new Map<string, Check>()
  const checkOf = (status: number, mediaType: string | undefined) => {
    const key = `${status} ${mediaType ?? ''}`
    const name = documentedName(status, responses)
    const check =
      checks.get(key) ??
      schemas.compile(responsePointer(`${pointer}/responses/${name}`, mediaType, schemas), 'response')
    checks.set(key, check)
    return check
  }
  return {
    checkResponse: (status, value, mediaType) => checkOf(status, mediaType)(value),
    acceptsResponse: (status, value, mediaType) => checkOf(status, mediaType).accepts(value),
  }
}

/** The response of a status; of a success that is not documented, as a behaviour may choose it, that of 200. */
function documentedName(status: number, responses: object): string {
  const name = responseName(status, responses) ?? 'default'
  const isOtherSuccess = name === 'default' && Math.floor(status / 100) === 2 && '200' in responses
  return isOtherSuccess ? '200' : name
}

/** The pointer of the schema of a response: of a problem document if it has one, else of JSON. */
function responsePointer(pointer: string, mediaType: string | undefined, schemas: Schemas): string {
  const response = schemas.locate(pointer)
  const content = schemas.resolve(response)?.content
  const types = Object.keys(asObject(content))
  const described = types.filter((one) => isObject(content) && isObject(content[one]) && 'schema' in content[one])
  const type =
    types.find((one) => one === mediaType) ?? jsonTypeOf(described) ?? jsonTypeOf(types) ?? 'application/json'
  return `${response}/content/${encodePointer(type)}/schema`
}
