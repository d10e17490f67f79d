import { memberAt, shapeOf } from '../../contract/schemas/shape.ts'
import { parseInstant } from '../../base/formats/instant.ts'
import { isObject, stringifySorted } from '../../base/formats/json.ts'

/** A rule of Pact for the value at a path. */
interface Rule {
  readonly match: string
  readonly regex?: string
  readonly min?: number
}

/** Rules by JSONPath: `$.files[*].id`. */
export type Rules = Record<string, { readonly combine: 'AND'; readonly matchers: readonly Rule[] }>

/** What a response body has to look like: an example, and what of it counts. */
export interface ExpectedBody {
  readonly content: unknown
  readonly rules: Rules
}

/** What decides how a value is matched. */
interface Context {
  readonly document: unknown
  /** The body of the request, whose values a service repeats. */
  readonly sent: unknown
  readonly rules: Rules
}

/**
 * Turns a response body into an expectation. Values count by their type, and ids, instants, tokens and values of an enumeration by their
 * form; those that the request sent itself have to be the same. A list has one element, with the members that all of its elements had.
 * Members that were null are left out: Pact cannot say that they may be something else.
 *
 * @param schema of the body in the contract, as far as it has one
 */
export function expectBody(body: unknown, schema: unknown, { document, sent }: Omit<Context, 'rules'>): ExpectedBody {
  const rules: Rules = {}
  return { content: expectValue(body, schema, ['$'], { document, sent, rules }), rules }
}

/** The steps of a JSONPath, with `*` for any element. */
type Path = readonly string[]

function expectValue(value: unknown, schema: unknown, path: Path, context: Context): unknown {
  if (Array.isArray(value)) return expectList(value as unknown[], schema, path, context)
  if (isObject(value)) {
    const shown = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined)
    if (shown.length === 0) addRule(path, { match: 'type' }, context)
    return Object.fromEntries(
      shown.map(([name, inner]) => [
        name,
        expectValue(inner, memberAt(context.document, schema, [name]), [...path, name], context),
      ]),
    )
  }
  addRule(path, matcherOf(value, schema, path, context), context)
  return value
}

function expectList(values: readonly unknown[], schema: unknown, path: Path, context: Context): unknown {
  const known: readonly unknown[] = values.filter((value) => value !== null)
  if (known.length === 0) return []
  addRule(path, { match: 'type', min: 1 }, context)
  const { items } = shapeOf(context.document, schema, 'any')
  return [expectValue(known.reduce(common), items, [...path, '*'], context)]
}

/** What two values have in common: the members of both. */
export function common(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return one.length > 0 ? (one as unknown[]) : (other as unknown[])
  if (!isObject(one) || !isObject(other)) return one
  return Object.fromEntries(
    Object.entries(one).flatMap(([name, value]) =>
      value === null || (other[name] ?? null) === null ? [] : [[name, common(value, other[name])]],
    ),
  )
}

function addRule(path: Path, matcher: Rule, { rules }: Context): void {
  const [root = '$', ...steps] = path
  const key = steps.reduce(
    (text, step) => text + (step === '*' ? '[*]' : /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `['${step}']`),
    root,
  )
  rules[key] = { combine: 'AND', matchers: [matcher] }
}

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
const INSTANT = String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$`
/** Long texts of letters and digits are taken for tokens, and so are JSON Web Tokens. */
const TOKEN = /^(?:[\w~+/=-]{24,}|eyJ[\w-]+\.[\w-]+\.[\w-]*)$/

function matcherOf(value: unknown, schema: unknown, path: Path, { document, sent }: Context): Rule {
  if (isEcho(value, path, sent)) return { match: 'equality' }
  const { keywords, types } = shapeOf(document, schema, 'any')
  if (typeof value === 'number' || typeof value === 'bigint')
    return { match: types.has('number') || !Number.isInteger(Number(value)) ? 'number' : 'integer' }
  if (typeof value !== 'string') return { match: 'type' }
  const values = Array.isArray(keywords.enum)
    ? (keywords.enum as unknown[]).filter((one) => typeof one === 'string')
    : []
  if (values.includes(value)) return { match: 'regex', regex: `^(${values.map(escaped).join('|')})$` }
  if (new RegExp(UUID).test(value)) return { match: 'regex', regex: UUID }
  if (new RegExp(INSTANT).test(value) && parseInstant(value)) return { match: 'regex', regex: INSTANT }
  return TOKEN.test(value) ? { match: 'regex', regex: String.raw`^\S+$` } : { match: 'type' }
}

/** Whether the request sent the value at the same place. */
function isEcho(value: unknown, path: Path, sent: unknown): boolean {
  if (path.includes('*')) return false
  const held = path.slice(1).reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), sent)
  return held !== undefined && stringifySorted(held) === stringifySorted(value)
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}
