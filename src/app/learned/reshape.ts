import { isDeepStrictEqual } from 'node:util'
import { encodePointer, isObject, splitPointer } from '../../base/formats/json.ts'
import { fill, type FillSource } from './fill.ts'
import type { Form, ValueRule } from './learned.ts'
import { elementSchema, isNamedFreely, memberSchema, nameOf } from './schema-names.ts'

/** The rules at one place of a form, and those below it. */
export interface FormNode {
  rule?: ValueRule
  readonly members: Map<string, FormNode>
}

export function compileForm(form: Form): FormNode {
  const root: FormNode = { members: new Map() }
  for (const [pointer, rule] of Object.entries(form)) {
    const node = splitPointer(pointer).reduce<FormNode>((at, name) => {
      const next: FormNode = at.members.get(name) ?? { members: new Map() }
      at.members.set(name, next)
      return next
    }, root)
    node.rule = rule
  }
  return root
}

interface Reshaping {
  readonly document: unknown
  /** By the name of a schema. */
  readonly schemas: ReadonlyMap<string, FormNode>
  readonly source: FillSource
}

interface ReshapedPlace {
  readonly schema: unknown
  /** The more particular come first. */
  readonly nodes: readonly FormNode[]
  readonly pointer: string
}

/** A body as the service shows it. Undefined where it has none. */
export function reshape(
  run: Reshaping,
  value: unknown,
  { schema, nodes }: Pick<ReshapedPlace, 'schema' | 'nodes'>,
): unknown {
  return shownAt(run, value, { schema, nodes, pointer: '', item: undefined })
}

function shownAt(run: Reshaping, value: unknown, place: ReshapedPlace & { readonly item: unknown }): unknown {
  const { nodes, pointer } = place
  const at = nodes.findIndex((node) => node.rule)
  const rule = nodes[at]?.rule
  const shown = rule ? ruled(rule, value, run.source, place) : value
  if (shown === undefined) return undefined
  // What a rule gives with all that is in it, the less particular ones leave as it is.
  const isWhole = hasParts(value === undefined ? rule?.add : rule?.set)
  return within(run, shown, isWhole ? { nodes: nodes.slice(0, at + 1), schema: undefined, pointer } : place)
}

/** Whether a template is an object or a list with what is in it. */
export function hasParts(template: unknown): boolean {
  return typeof template === 'object' && template !== null && Object.keys(template).length > 0
}

function within(run: Reshaping, value: unknown, { schema, nodes, pointer }: ReshapedPlace): unknown {
  const { document, schemas } = run
  if (Array.isArray(value)) {
    const below = nodes.flatMap((node) => node.members.get('*') ?? [])
    const items = elementSchema(document, schema)
    return value.map((one) => within(run, one, { schema: items, nodes: below, pointer: `${pointer}/*` }))
  }
  if (!isObject(value)) return value
  const named = schemas.get(nameOf(document, schema) ?? '')
  const all = named ? [...nodes, named] : nodes
  const names = new Set([...Object.keys(value), ...all.flatMap(({ members }) => [...members.keys()])])
  names.delete('*')
  const members = [...names].flatMap((name): [string, unknown][] => {
    const isFree = isNamedFreely(document, schema, name)
    const below = all.flatMap((node) => node.members.get(name) ?? (isFree ? node.members.get('*') : undefined) ?? [])
    const at = `${pointer}/${encodePointer(name)}`
    const own = Object.hasOwn(value, name) ? value[name] : undefined
    const inner = { schema: memberSchema(document, schema, name), nodes: below, pointer: at, item: value }
    const shown = shownAt(run, own, inner)
    return shown === undefined ? [] : [[name, shown]]
  })
  return Object.fromEntries(members)
}

/** A value under a rule. @param place the object that it is in */
export function ruled(
  { drop, add, set, map }: ValueRule,
  value: unknown,
  source: FillSource,
  place: { readonly item: unknown; readonly pointer: string },
): unknown {
  if (value === undefined) return add === undefined ? undefined : fill(add, source, place)
  if (drop === true || drop?.some((one) => isDeepStrictEqual(one, value)) === true) return undefined
  if (set !== undefined) return fill(set, source, place) ?? value
  const pair = map?.find(([from]) => isDeepStrictEqual(from, value))
  return pair ? pair[1] : value
}
