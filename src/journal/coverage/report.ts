import { KNOWN_KINDS } from '../../engine/faults/fault-kinds.ts'
import { isObject } from '../../base/formats/json.ts'
import type { Redactor } from '../redact.ts'
import type { Coverage } from './coverage.ts'
import { BEHAVIOURS, FAULTS, isShared, type CoveragePlan, UNDOCUMENTED } from './operation-plan.ts'
import type { OperationTally, Tally } from './tally.ts'

interface KindCount {
  readonly kind: string
  readonly count: number
}

/** What was covered by what a tally has. Yields after each operation, since a contract can have a thousand. */
export function* createReport(
  { parts, findPlan }: Pick<Coverage, 'parts' | 'findPlan'>,
  tally: Tally,
  redactor: Pick<Redactor, 'text' | 'url'>,
) {
  const operations: ReturnType<typeof describeOperation>[] = []
  for (const operationId of parts.operations.keys()) {
    const plan = findPlan(operationId)
    if (plan) operations.push(describeOperation(plan, tally.operations.get(operationId)))
    yield
  }
  const met = countsOf(tally, FAULTS)
  return {
    format: 'standin-coverage-1' as const,
    contract: nameOf(parts.contract.document),
    sandboxes: tally.sandboxes,
    requests: tally.requests,
    ...sharesOf(operations),
    operations,
    behaviours: describeBehaviours(parts, tally),
    faults: [...new Set([...KNOWN_KINDS, ...met.keys()])].map((name) => ({ name, count: met.get(name) ?? 0 })),
    unmatched: [...tally.unmatched].map(([name, count]) => ({ name: withoutKeys(name, redactor), count })),
  }
}

/** The share of everything, and of each kind. */
export function sharesOf(operations: readonly { readonly items: readonly KindCount[] }[]) {
  const items = operations.flatMap((one) => one.items)
  const byKind = Map.groupBy(items, ({ kind }) => kind)
  const kinds = [...byKind].map(([kind, ofKind]) => ({ kind, ...shareOf(ofKind) }))
  return { total: shareOf(items), kinds }
}

export function shareOf(items: readonly Pick<KindCount, 'count'>[]) {
  const total = items.length
  const covered = items.filter(({ count }) => count > 0).length
  // Rounded down: 100 % means that nothing is left.
  return { covered, total, percent: total === 0 ? 100 : Math.floor((1000 * covered) / total) / 10 }
}

function describeOperation(plan: CoveragePlan, counted: OperationTally | undefined) {
  const { operationId, method, basePath, path } = plan.operation
  const counts = plan.items.map((item, slot) => ({ ...item, count: counted?.bySlot[slot] ?? 0 }))
  const items = counts.filter(isShared)
  const undocumented = counts.filter(({ kind, count }) => kind === UNDOCUMENTED && count > 0)
  return {
    operationId,
    method,
    path: basePath + path,
    handler: plan.handler,
    requests: counted?.requests ?? 0,
    ...shareOf(items),
    items,
    undocumented: undocumented.map(({ name, count }) => ({ name, count })),
  }
}

function nameOf({ info }: Readonly<Record<string, unknown>>): string {
  const { title = '', version = '' } = isObject(info) ? info : {}
  return `${String(title)} ${String(version)}`.trim()
}

/** Of all operations together, by name. */
function countsOf({ operations }: Tally, kind: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [, , name, count] of countedOf(operations, kind)) counts.set(name, (counts.get(name) ?? 0) + count)
  return counts
}

type CountedItem = readonly [operationId: string, kind: string, name: string, count: number]

function countedOf(operations: Tally['operations'], kind: string): CountedItem[] {
  return [...operations].flatMap(([operationId, { plan, bySlot }]) =>
    bySlot.flatMap((count, slot): CountedItem[] => {
      const item = plan.items[slot]
      return item?.kind === kind && count > 0 ? [[operationId, kind, item.name, count]] : []
    }),
  )
}

/** In the order of the catalogue. */
function describeBehaviours({ behaviours, calibrated }: Coverage['parts'], { operations }: Tally) {
  const used = Map.groupBy(countedOf(operations, BEHAVIOURS), ([, , id]) => id)
  return behaviours.catalog.behaviours.flatMap(({ id, basis, question }) => {
    const counted = used.get(id)
    if (!counted) return []
    const count = counted.reduce((sum, [, , , one]) => sum + one, 0)
    return [{ id, basis: calibrated.has(id) ? ('calibrated' as const) : basis, question, count, operations: counted.map(([operationId]) => operationId) }]
  })
}

/** @param request `GET /orders` */
function withoutKeys(request: string, redactor: Pick<Redactor, 'text' | 'url'>): string {
  const [method = '', url] = request.split(' ', 2)
  return url?.startsWith('/') === true ? `${method} ${redactor.text(redactor.url(url), [])}` : request
}
