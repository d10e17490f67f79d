import type { Complaints } from './complaints.ts'
import { faultsOfSchema } from './check-schema.ts'
import { type Kind, METHODS, walk } from './grammar.ts'
import { follow, followOnce } from '../schemas/lookup.ts'
import { isNarrower } from '../narrower.ts'
import { isReference, partsOf, type Reference, valueAt } from '../pointer.ts'
import { readTemplate, templateShape } from '../template.ts'
import { encodePointer, isObject } from '../../formats/json.ts'
import { nearest } from '../../errors/nearest.ts'
import { shown } from '../../errors/problem.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * @param pointer of the bundled document
 * @param consequence for a part that stays in the document although it is wrong
 */
type Complain = (pointer: string, complaint: string, consequence?: string) => void

/**
 * Finds everything in a bundled OpenAPI 3.1 document that cannot be understood.
 *
 * @returns pointers of what must be left out so that the rest can be served
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
  // A path whose reference leads nowhere was complained about already.
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

/** @returns how many operations there are */
function checkPaths(paths: Values, complain: Complain, document: Values): number {
  const checkShape = createShapeCheck(complain, document)
  const ids = new Map<string, string>()
  let operations = 0
  for (const [path, item] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue
    const pointer = `/paths/${encodePointer(path)}`
    if (!path.startsWith('/'))
      complain(pointer, `the path ${JSON.stringify(path)} begins with no slash. Put one first.`)
    for (const method of METHODS) {
      const operation = isObject(item) ? item[method] : undefined
      if (operation === undefined) continue
      operations++
      checkShape(method, path)
      const id = isObject(operation) ? operation.operationId : undefined
      if (typeof id !== 'string') continue
      const taken = ids.get(id)
      if (taken === undefined) ids.set(id, `${method.toUpperCase()} ${path}`)
      else
        complain(
          `${pointer}/${method}/operationId`,
          `${JSON.stringify(id)} is the id of ${taken} already. Ids must differ.`,
        )
    }
  }
  return operations
}

/** Operations whose templates differ only in names of parameters are served if the path parameters of the earlier ones leave them requests. */
function createShapeCheck(complain: Complain, document: Values): (method: string, path: string) => void {
  const served = new Map<string, string[]>()
  return (method, path) => {
    const pointer = `/paths/${encodePointer(path)}/${method}`
    const shape = `${method} ${templateShape(path)}`
    const earlier = served.get(shape) ?? []
    const same = earlier.find((other) => !isNarrower(document, method, other, path))
    if (same !== undefined)
      return complain(pointer, `no request can tell ${path} from ${same}: only names of parameters differ. Merge them.`)
    served.set(shape, [...earlier, path])
    const [first] = earlier
    if (first === undefined) return
    complain(
      pointer,
      `only schemas of path parameters tell ${path} from ${first}.`,
      'It answers the requests that fit it and not the other.',
    )
  }
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

/** A parameter of the path that the path does not have would be missing from every request. */
function checkPathParameters(pointer: string, complain: Complain, document: Values): void {
  const template = pathOf(pointer)
  if (template === undefined) return
  const { parameters: names } = readTemplate(template)
  for (const holder of [pointer.slice(0, pointer.lastIndexOf('/')), pointer]) {
    const listed = valueAt(document, `${holder}/parameters`)
    for (const [index, written] of (Array.isArray(listed) ? (listed as unknown[]) : []).entries()) {
      const parameter = follow(document, written)
      if (!isObject(parameter) || parameter.in !== 'path' || typeof parameter.name !== 'string') continue
      const { name } = parameter
      if (names.includes(name)) continue
      const meant = nearest(name, names) ?? names[0]
      const hint =
        meant === undefined
          ? `Add {${name}} to the path, or take the parameter away.`
          : `Did you mean ${JSON.stringify(meant)}?`
      complain(`${holder}/parameters/${index}`, `the path ${template} has no {${name}}. ${hint}`)
    }
  }
}

/** The path that an operation belongs to; undefined for one of a callback or a webhook, whose paths are no templates. */
function pathOf(pointer: string): string | undefined {
  const [section, path, ...rest] = partsOf(pointer)
  return section === 'paths' && rest.length === 1 ? path : undefined
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

const PLACES = ['path', 'query', 'header', 'cookie']
const STYLES = ['matrix', 'label', 'simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject']

function checkParameter(value: unknown, pointer: string, complain: Complain): void {
  if (!isObject(value)) return mustBeObject(value, pointer, complain)
  // What it refers to is looked at where it stands.
  if (typeof value.$ref === 'string') return
  const { name, in: place, schema, content, style } = value
  if (typeof name !== 'string') complain(pointer, 'the parameter has no `name`. Add one.')
  if (typeof place !== 'string' || !PLACES.includes(place))
    complain(pointer, `expected \`in\` to be one of ${PLACES.join(', ')}, got ${shown(place)}.`)
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
  for (const { keyword, complaint } of faultsOfSchema(value))
    complain(keyword === '' ? pointer : `${pointer}/${encodePointer(keyword)}`, complaint)
  if (isReference(value) && leadsBack(value, document))
    complain(pointer, `the reference ${JSON.stringify(value.$ref)} leads back to itself. Break the circle.`)
}

/** Whether references lead from one to the next in a circle, with nothing but references on the way. */
function leadsBack(reference: Reference, document: Values): boolean {
  const seen = new Set<unknown>()
  for (let at: unknown = reference; isReference(at); at = followOnce(document, at)) {
    if (seen.has(at)) return true
    seen.add(at)
  }
  return false
}
