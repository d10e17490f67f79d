import { METHODS } from './grammar.ts'
import { ASSERTING } from '../parameters/parameters.ts'
import { partsOf, valueAt } from '../pointer.ts'
import { follow } from '../schemas/lookup.ts'
import { readTemplate, templateShape } from '../template.ts'
import { nearest } from '../../errors/nearest.ts'
import { encodePointer, isObject } from '../../formats/json.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Reports what is wrong with a part of the document.
 *
 * @param pointer in the bundled document
 * @param consequence for a part that stays in the document
 */
export type Complain = (pointer: string, complaint: string, consequence?: string) => void

/**
 * Checks what concerns several operations: paths, ids, and whether requests can tell operations apart.
 *
 * @returns the number of operations
 */
export function checkPaths(paths: Values, complain: Complain, document: Values): number {
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

/** Templates may differ only in names of parameters if the schemas of the earlier ones leave requests for the later ones. */
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

/**
 * Whether the path parameters of one operation refuse texts that those of another of the same method and shape may accept. Then a
 * request tells which of the two it is for.
 */
function isNarrower(document: Values, method: string, path: string, other: string): boolean {
  const [own, others] = [path, other].map((one) => limitsOf(document, method, one))
  return own?.some((limits, index) => limits !== PLAIN && limits !== others?.[index]) === true
}

const LIMITING = ['type', 'format', ...ASSERTING]
const PLAIN = limitsIn({ type: 'string' })

/** The limits of each parameter of a path, as texts to compare, in the order of the template. */
function limitsOf(document: Values, method: string, path: string): string[] {
  const pointer = `/paths/${encodePointer(path)}`
  const listed = [`${pointer}/${method}/parameters`, `${pointer}/parameters`]
    .map((at) => valueAt(document, at))
    .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
    .map((one) => follow(document, one))
    .filter(isObject)
  return readTemplate(path).parameters.map((name) => {
    const parameter = listed.find((one) => one.in === 'path' && one.name === name)
    const schema = follow(document, parameter?.schema)
    return isObject(schema) ? limitsIn(schema) : PLAIN
  })
}

function limitsIn(schema: Values): string {
  return JSON.stringify(LIMITING.map((keyword) => schema[keyword]))
}

/** A path parameter that the template lacks would be missing from every request. */
export function checkPathParameters(pointer: string, complain: Complain, document: Values): void {
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

/** The path of an operation; undefined for one of a callback or a webhook, whose keys are no path templates. */
function pathOf(pointer: string): string | undefined {
  const [section, path, ...rest] = partsOf(pointer)
  return section === 'paths' && rest.length === 1 ? path : undefined
}
