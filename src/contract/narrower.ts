import { follow } from './schemas/lookup.ts'
import { ASSERTING } from './parameters/parameters.ts'
import { valueAt } from './pointer.ts'
import { readTemplate } from './template.ts'
import { encodePointer, isObject } from '../formats/json.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Whether the path parameters of an operation refuse texts that those of another one of the same shape and method may accept, so that
 * requests for both can be told apart.
 */
export function isNarrower(document: Values, method: string, path: string, other: string): boolean {
  const [own, others] = [path, other].map((one) => limitsOf(document, method, one))
  return own?.some((limits, index) => limits !== PLAIN && limits !== others?.[index]) === true
}

const LIMITING = ['type', 'format', ...ASSERTING]
const PLAIN = limitsIn({ type: 'string' })

/** What is asked of each parameter of a path, as comparable texts, in the order of the template. */
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
