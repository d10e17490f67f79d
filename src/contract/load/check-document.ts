import { findSchemaErrors } from './check-schema.ts'
import { didYouMean, type DocumentErrors } from './document-errors.ts'
import { type PartKind, METHODS, walk } from './document-structure.ts'
import { ASSERTING, isJsonContent } from '../parameters/parameters.ts'
import { follow, followOnce, isReference, type Reference, valueAt } from '../pointer.ts'
import { readTemplate, templateShape } from '../template.ts'
import { nearest } from '../../base/errors/wording.ts'
import { shown } from '../../base/errors/problem.ts'
import { asList, asObject, encodePointer, isObject, type Members, splitPointer } from '../../base/formats/json.ts'

/**
 * Reports what is wrong with a part of the document.
 *
 * @param pointer in the bundled document
 * @param consequence for a part that stays in the document
 */
type ReportPart = (pointer: string, message: string, consequence?: string) => void

/**
 * Finds everything in a bundled OpenAPI 3.1 document that Standin cannot use.
 *
 * @returns pointers of the parts to leave out so that the rest can be served
 */
export function checkDocument(
  document: Members,
  placeOf: (pointer: string) => string,
  errors: DocumentErrors,
): readonly string[] {
  const wrong: string[] = []
  const report: ReportPart = (pointer, message, consequence) => {
    errors.add(placeOf(pointer), `${pointer || '/'}: ${message}`, consequence)
    if (consequence === undefined) wrong.push(pointer)
  }
  const { paths } = document
  if (paths === undefined)
    report('/paths', 'The document has no `paths`. Add them; webhooks and components alone serve no request.')
  else if (!isObject(paths)) report('/paths', `expected paths, got ${shown(paths)}.`)
  else {
    const operations = checkPaths(paths, report, document)
    // A path whose reference leads nowhere was reported already.
    if (operations === 0 && errors.isEmpty()) report('/paths', 'The document has no operations. Add one.')
    walk(document, (kind, value, pointer) => CHECKS[kind]?.(value, pointer, report, document))
  }
  return wrong
}

/**
 * Checks what concerns several operations: paths, ids, and whether requests can tell operations apart.
 *
 * @returns the number of operations
 */
function checkPaths(paths: Members, report: ReportPart, document: Members): number {
  const checkShape = createShapeCheck(report, document)
  const ids = new Map<string, string>()
  let operations = 0
  for (const [path, item] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue
    const pointer = `/paths/${encodePointer(path)}`
    if (!path.startsWith('/')) report(pointer, `the path ${JSON.stringify(path)} begins with no slash. Put one first.`)
    for (const method of METHODS) {
      const operation = isObject(item) ? item[method] : undefined
      if (operation === undefined) continue
      operations++
      checkShape(method, path)
      const id = asObject(operation).operationId
      if (typeof id !== 'string') continue
      const taken = ids.get(id)
      if (taken === undefined) ids.set(id, `${method.toUpperCase()} ${path}`)
      else
        report(
          `${pointer}/${method}/operationId`,
          `${JSON.stringify(id)} is the id of ${taken} already. Ids must differ.`,
        )
    }
  }
  return operations
}

/** Templates may differ only in names of parameters if the schemas of the earlier ones leave requests for the later ones. */
function createShapeCheck(report: ReportPart, document: Members): (method: string, path: string) => void {
  const byShape = new Map<string, string[]>()
  return (method, path) => {
    const pointer = `/paths/${encodePointer(path)}/${method}`
    const shape = `${method} ${templateShape(path)}`
    const earlier = byShape.get(shape) ?? []
    const same = earlier.find((other) => !isNarrower(document, method, other, path))
    if (same !== undefined)
      return report(pointer, `no request can tell ${path} from ${same}: only names of parameters differ. Merge them.`)
    byShape.set(shape, [...earlier, path])
    const [first] = earlier
    if (first === undefined) return
    const message = `only schemas of path parameters tell ${path} from ${first}.`
    report(pointer, message, 'It handles the requests that fit it and not the other.')
  }
}

/**
 * Whether the path parameters of one operation refuse texts that those of another of the same method and shape may accept. Then a
 * request tells which of the two it is for.
 */
function isNarrower(document: Members, method: string, path: string, other: string): boolean {
  const [own, others] = [path, other].map((one) => limitsOf(document, method, one))
  return own?.some((limits, index) => limits !== PLAIN && limits !== others?.[index]) === true
}

/** The limits of each parameter of a path, as texts to compare, in the order of the template. */
function limitsOf(document: Members, method: string, path: string): string[] {
  const pointer = `/paths/${encodePointer(path)}`
  const listed = [`${pointer}/${method}`, pointer]
    .flatMap((holder) => parametersOf(document, holder))
    .map((one) => follow(document, one))
    .filter(isObject)
  return readTemplate(path).parameters.map((name) => {
    const parameter = listed.find((one) => one.in === 'path' && one.name === name)
    const schema = follow(document, parameter?.schema)
    return isObject(schema) ? limitsIn(schema) : PLAIN
  })
}

function parametersOf(document: Members, holder: string): readonly unknown[] {
  return asList(valueAt(document, `${holder}/parameters`))
}

function limitsIn(schema: Members): string {
  return JSON.stringify(['type', 'format', ...ASSERTING].map((keyword) => schema[keyword]))
}

const PLAIN = limitsIn({ type: 'string' })

type DocumentCheck = (value: unknown, pointer: string, report: ReportPart, document: Members) => void

const CHECKS: Readonly<Partial<Record<PartKind, DocumentCheck>>> = {
  components: mustBeObject,
  pathItem: checkPathItem,
  operation: checkOperation,
  parameter: checkParameter,
  requestBody: mustBeObject,
  response: mustBeObject,
  header: mustBeObject,
  mediaType: mustBeObject,
  schema: checkSchema,
}

function mustBeObject(value: unknown, pointer: string, report: ReportPart): void {
  if (!isObject(value)) report(pointer, `expected an object, got ${shown(value)}.`)
}

function checkPathItem(value: unknown, pointer: string, report: ReportPart): void {
  if (!isObject(value)) return mustBeObject(value, pointer, report)
  for (const method of Object.keys(asObject(value.additionalOperations)))
    report(
      `${pointer}/additionalOperations/${encodePointer(method)}`,
      Object.hasOwn(value, method.toLowerCase())
        ? `the path has \`${method.toLowerCase()}\` already.`
        : `no request has the method ${method}: Node's parser refuses it.`,
    )
}

const STATUS = /^(?:[1-5](?:\d\d|XX)|default|x-.*)$/

function checkOperation(value: unknown, pointer: string, report: ReportPart, document: Members): void {
  if (!isObject(value)) return mustBeObject(value, pointer, report)
  const { operationId, parameters, responses, security } = value
  const expect = (name: string, isValid: boolean, expected: string) => {
    if (value[name] !== undefined && !isValid)
      report(`${pointer}/${name}`, `expected ${expected}, got ${shown(value[name])}.`)
  }
  expect('operationId', typeof operationId === 'string', 'a text')
  expect('parameters', Array.isArray(parameters), 'a list of parameters')
  expect('responses', isObject(responses), 'responses by their status')
  for (const status of Object.keys(asObject(responses))) {
    if (STATUS.test(status)) continue
    const expected = 'a status such as 200 or 4XX, or default'
    report(`${pointer}/responses/${encodePointer(status)}`, `expected ${expected}, got ${JSON.stringify(status)}.`)
  }
  expect('security', Array.isArray(security), 'a list of schemes')
  if (Array.isArray(security)) checkSecurity(security, `${pointer}/security`, report, document)
  checkPathParameters(pointer, report, document)
}

function checkSecurity(security: readonly unknown[], pointer: string, report: ReportPart, document: Members): void {
  const schemes = valueAt(document, '/components/securitySchemes')
  const known = Object.keys(asObject(schemes))
  for (const [index, alternative] of security.entries()) {
    const at = `${pointer}/${index}`
    if (!isObject(alternative)) report(at, `expected names of schemes, got ${shown(alternative)}.`)
    else
      for (const name of Object.keys(alternative).filter((one) => !known.includes(one))) {
        const remedy = didYouMean(nearest(name, known)) ?? 'Add it to components/securitySchemes.'
        report(at, `there is no security scheme ${JSON.stringify(name)}. ${remedy}`, 'It is not enforced.')
      }
  }
}

/** A path parameter that the template lacks would be missing from every request. */
function checkPathParameters(pointer: string, report: ReportPart, document: Members): void {
  const [section, template = '', ...rest] = splitPointer(pointer)
  // The keys of callbacks and webhooks are no templates.
  if (section !== 'paths' || rest.length !== 1) return
  const { parameters: names } = readTemplate(template)
  for (const holder of [pointer.slice(0, pointer.lastIndexOf('/')), pointer]) {
    for (const [index, written] of parametersOf(document, holder).entries()) {
      const parameter = follow(document, written)
      if (!isObject(parameter) || parameter.in !== 'path' || typeof parameter.name !== 'string') continue
      const { name } = parameter
      if (names.includes(name)) continue
      const remedy =
        didYouMean(nearest(name, names) ?? names[0]) ?? `Add {${name}} to the path, or take the parameter away.`
      report(`${holder}/parameters/${index}`, `the path ${template} has no {${name}}. ${remedy}`)
    }
  }
}

const LOCATIONS = ['path', 'query', 'querystring', 'header', 'cookie']
const STYLES = ['matrix', 'label', 'simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject']

function checkParameter(value: unknown, pointer: string, report: ReportPart): void {
  if (!isObject(value)) return mustBeObject(value, pointer, report)
  // The target is checked where it is defined.
  if (typeof value.$ref === 'string') return
  const { name, in: location, schema, content, style } = value
  if (location === 'querystring') {
    if (!isJsonContent(content))
      report(pointer, 'a query string that is neither JSON nor a form is not read.', 'It is not checked.')
    return
  }
  if (typeof name !== 'string') report(pointer, 'the parameter has no `name`. Add one.')
  if (!LOCATIONS.some((one) => one === location))
    report(pointer, `expected \`in\` to be one of ${LOCATIONS.join(', ')}, got ${shown(location)}.`)
  if (schema === undefined && content === undefined) {
    const message = `the parameter ${shown(name)} has neither \`schema\` nor \`content\`. Add a schema.`
    report(pointer, message, 'Any text is accepted.')
  }
  if (style !== undefined && !STYLES.some((one) => one === style))
    report(`${pointer}/style`, `expected one of ${STYLES.join(', ')}, got ${shown(style)}.`)
}

function checkSchema(value: unknown, pointer: string, report: ReportPart, document: Members): void {
  for (const { keyword, message } of findSchemaErrors(value))
    report(keyword === '' ? pointer : `${pointer}/${encodePointer(keyword)}`, message)
  if (isReference(value) && leadsBack(value, document))
    report(pointer, `the reference ${JSON.stringify(value.$ref)} leads back to itself. Break the circle.`)
}

/** Whether a chain of references leads back to its start. */
function leadsBack(reference: Reference, document: Members): boolean {
  const seen = new Set<unknown>()
  for (let at: unknown = reference; isReference(at); at = followOnce(document, at)) {
    if (seen.has(at)) return true
    seen.add(at)
  }
  return false
}
