import { keyParts } from '../../../contract/template.ts'
import { asText } from '../../../base/formats/json.ts'
import type { OperationPlan } from '../infer/plan.ts'
import type { Item, OperationWork } from './work.ts'

/** The path of a new item, beginning as the request was sent; undefined where no operation has a path for items. */
export function locationOf(
  { plan, views }: OperationWork,
  { id, call }: Pick<Item, 'id' | 'call'>,
): string | undefined {
  const target = views.find(({ role, itemParameter }) => role === 'read' && itemParameter !== undefined)
  const route = target ?? views.find(({ itemParameter }) => itemParameter !== undefined)
  if (!route) return undefined
  const sent = (call.url().split('?', 1)[0] ?? '').replace(/\/$/, '').split('/')
  const before = sent.slice(0, sent.length - segmentsOf(plan).length)
  const values = new Map(
    route.parents.flatMap((name, at): [string, string][] => {
      const own = plan.parents[at]
      return own === undefined ? [] : [[name, asText(call.path[own])]]
    }),
  )
  if (route.itemParameter !== undefined) values.set(route.itemParameter, id)
  if (!route.pathParameters.every((name) => values.has(name))) return undefined
  const path = segmentsOf(route).map((segment) =>
    segment.replace(/\{([^{}]+)\}/, (_, name: string) => encodeURIComponent(values.get(name) ?? '')),
  )
  const { template, query } = keyParts(route.operation.path)
  const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString()
  // Frameworks such as Django end the paths of items with a slash, and know none without it.
  const end = template.endsWith('/') ? '/' : ''
  return `${[...before, ...path].join('/')}${end}${search === '' ? '' : `?${search}`}`
}

function segmentsOf({ operation }: OperationPlan): string[] {
  return keyParts(operation.path).template.replace(/\/$/, '').split('/').slice(1)
}
