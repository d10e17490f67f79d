import { checkPathParameters, checkPaths, type Complain } from './check-paths.ts'
import { findSchemaFaults } from './check-schema.ts'
import type { Complaints } from './complaints.ts'
import { type Kind, walk } from './grammar.ts'
import { isReference, type Reference, valueAt } from '../pointer.ts'
import { followOnce } from '../schemas/lookup.ts'
import { nearest } from '../../errors/nearest.ts'
import { shown } from '../../errors/problem.ts'
import { encodePointer, isObject } from '../../formats/json.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Finds everything in a bundled OpenAPI 3.1 document that Standin cannot use.
 *
 * @returns pointers of the parts to leave out so that the rest can be served
 */
export function checkDocument(
  document: Values,
  placeOf: (pointer: string) => string,
  complaints: Complaints,
): readonly string[] {
  const wrong: string[] = []
  const complain: Complain = (pointer, complaint, consequence) => {
    complaints.add(placeOf(pointer), `${pointer || '/'}: ${complaint}`, consequence)
    if (consequence === undefined) wrong.push(pointer)
  }
  checkWhole(document, complain, complaints)
  return wrong
}

function checkWhole(document: Values, complain: Complain, complaints: Complaints): void {
  if (!isObject(document.paths)) {
    complain(
      '/paths',
      document.paths === undefined
        ? 'The document has no `paths`. Add them; webhooks and components alone answer no request.'
        : `expected paths, got ${shown(document.paths)}.`,
    )
    return
  }
  const operations = checkPaths(document.paths, complain, document)
  // A path whose reference leads nowhere has its complaint already.
  if (operations === 0 && complaints.isEmpty()) complain('/paths', 'The document has no operations. Add one.')
  walk(document, (kind, value, pointer) => CHECKS[kind]?.(value, pointer, complain, document))
}

type Check = (value: unknown, pointer: string, complain: Complain, document: Values) => void

const CHECKS: Readonly<Partial<Record<Kind, Check>>> = {
  components: mustBeObject,
  pathItem: mustBeObject,
  operation: checkOperation,
  parameter: checkParameter,
  requestBody: mustBeObject,
  response: mustBeObject,
  header: mustBeObject,
  mediaType: mustBeObject,
  schema: checkSchema,
}

function mustBeObject(value: unknown, pointer: string, complain: Complain): void {
  if (!isObject(value)) complain(pointer, `expected an object, got ${shown(value)}.`)
}

const STATUS = /^(?:[1-5](?:\d\d|XX)|default|x-.*)$/

function checkOperation(value: unknown, pointer: string, complain: Complain, document: Values): void {
  if (!isObject(value)) return mustBeObject(value, pointer, complain)
  const { operationId, parameters, responses, security } = value
  if (operationId !== undefined && typeof operationId !== 'string')
    complain(`${pointer}/operationId`, `expected a text, got ${shown(operationId)}.`)
  if (parameters !== undefined && !Array.isArray(parameters))
    complain(`${pointer}/parameters`, `expected a list of parameters, got ${shown(parameters)}.`)
  if (responses !== undefined && !isObject(responses))
    complain(`${pointer}/responses`, `expected responses by their status, got ${shown(responses)}.`)
  for (const status of Object.keys(isObject(responses) ? responses : {})) {
    if (!STATUS.test(status))
      complain(
        `${pointer}/responses/${encodePointer(status)}`,
        `expected a status such as 200 or 4XX, or default, got ${JSON.stringify(status)}.`,
      )
  }
  checkSecurity(security, `${pointer}/security`, complain, document)
  checkPathParameters(pointer, complain, document)
}

function checkSecurity(security: unknown, pointer: string, complain: Complain, document: Values): void {
  if (security === undefined) return
  if (!Array.isArray(security)) return complain(pointer, `expected a list of schemes, got ${shown(security)}.`)
  const schemes = valueAt(document, '/components/securitySchemes')
  const known = isObject(schemes) ? Object.keys(schemes) : []
  for (const [index, alternative] of security.entries()) {
    if (!isObject(alternative)) {
      complain(`${pointer}/${index}`, `expected names of schemes, got ${shown(alternative)}.`)
      continue
    }
    for (const name of Object.keys(alternative)) {
      if (known.includes(name)) continue
      const meant = nearest(name, known)
      complain(
        `${pointer}/${index}`,
        `there is no security scheme ${JSON.stringify(name)}.${meant === undefined ? ' Add it to components/securitySchemes.' : ` Did you mean ${JSON.stringify(meant)}?`}`,
        'It is not enforced.',
      )
    }
  }
}

const LOCATIONS = ['path', 'query', 'header', 'cookie']
const STYLES = ['matrix', 'label', 'simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject']

function checkParameter(value: unknown, pointer: string, complain: Complain): void {
  if (!isObject(value)) return mustBeObject(value, pointer, complain)
  // The target is checked where it is defined.
  if (typeof value.$ref === 'string') return
  const { name, in: location, schema, content, style } = value
  if (typeof name !== 'string') complain(pointer, 'the parameter has no `name`. Add one.')
  if (typeof location !== 'string' || !LOCATIONS.includes(location))
    complain(pointer, `expected \`in\` to be one of ${LOCATIONS.join(', ')}, got ${shown(location)}.`)
  if (schema === undefined && content === undefined)
    complain(
      pointer,
      `the parameter ${shown(name)} has neither \`schema\` nor \`content\`. Add a schema.`,
      'Any text is accepted.',
    )
  if (style !== undefined && !STYLES.some((one) => one === style))
    complain(`${pointer}/style`, `expected one of ${STYLES.join(', ')}, got ${shown(style)}.`)
}

function checkSchema(value: unknown, pointer: string, complain: Complain, document: Values): void {
  for (const { keyword, complaint } of findSchemaFaults(value))
    complain(keyword === '' ? pointer : `${pointer}/${encodePointer(keyword)}`, complaint)
  if (isReference(value) && leadsBack(value, document))
    complain(pointer, `the reference ${JSON.stringify(value.$ref)} leads back to itself. Break the circle.`)
}

/** Whether a chain of references leads back to its start. */
function leadsBack(reference: Reference, document: Values): boolean {
  const seen = new Set<unknown>()
  for (let at: unknown = reference; isReference(at); at = followOnce(document, at)) {
    if (seen.has(at)) return true
    seen.add(at)
  }
  return false
}
