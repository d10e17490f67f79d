import type { CoverageOperation, CoverageReport } from '../../../types/control-api.d.ts'
import type { LimitCheck } from './check-limits.ts'
import { type Annotation, workflowCommand } from '../reports/workflow-command.ts'
import { counted } from '../../base/errors/wording.ts'
import { element, escapeXml, junitReport } from '../reports/junit.ts'
import { listed } from '../reports/listed.ts'
import { code, escapeMarkdown, markdownTable } from '../reports/markdown.ts'

/** A report and what became of its limits, to be rendered. */
export interface RenderedReport {
  readonly report: CoverageReport
  readonly checks: readonly LimitCheck[]
}

/** What is not covered of an operation, by kind. */
export function missedOf({ items }: CoverageOperation): (readonly [kind: string, names: readonly string[]])[] {
  const missed = items.filter(({ count }) => count === 0)
  return [...Map.groupBy(missed, ({ kind }) => kind)].map(([kind, ofKind]) => [
    kind,
    joinValues(ofKind.map(({ name }) => name)),
  ])
}

/** The values of one enumeration together: `status = placed | shipped`. */
function joinValues(names: readonly string[]): string[] {
  const EQUALS = ' = '
  const ownerOf = (name: string) => name.split(EQUALS, 1)[0] ?? name
  return [...Map.groupBy(names, ownerOf)].map(([owner, [first = '', ...others]]) =>
    [first, ...others.map((name) => name.slice(owner.length + EQUALS.length))].join(' | '),
  )
}

/** In the order of how much they are to be trusted, the least first. */
const BASES = ['assumed', 'observed', 'protects', 'standard', 'documented', 'calibrated'] as const

/** The behaviours by their basis. */
export function behavioursByBasis({ behaviours }: CoverageReport) {
  return BASES.flatMap((basis) => {
    const ofBasis = behaviours.filter((one) => one.basis === basis)
    return ofBasis.length === 0 ? [] : [{ basis, behaviours: ofBasis }]
  })
}

/** Operations with requests, and those without. */
export function splitOperations({ operations }: CoverageReport) {
  return {
    requested: operations.filter(({ requests }) => requests > 0),
    never: operations.filter(({ requests }) => requests === 0),
  }
}

/** What clients sent and received that the contract does not have: `GET /orders`, or `parameter colour of listCustomers`. */
export function beyondContract({ operations, unmatched }: CoverageReport) {
  const undocumented = operations.flatMap((one) =>
    one.undocumented.map(({ name, count }) => ({ name: `${name} of ${one.operationId}`, count })),
  )
  return [...unmatched, ...undocumented]
}

export function metFaults({ faults }: CoverageReport) {
  return { met: faults.filter(({ count }) => count > 0), others: faults.filter(({ count }) => count === 0) }
}

/** A report as workflow commands, which GitHub shows as annotations: an error for each limit that was missed. */
export function renderGithub({ report, checks }: RenderedReport): string {
  const { requested, never } = splitOperations(report)
  const { percent, covered, total } = report.total
  const missed = requested.flatMap((one) =>
    missedOf(one).map(([kind, names]) => `${one.operationId}: ${kind}: ${names.join(', ')}`),
  )
  const failed = checks.filter(({ passed }) => !passed)
  const names = never.map(({ operationId }) => operationId).join(', ')
  const summary = [`${covered} of ${total} of ${report.contract}.`, ...missed].join('\n')
  const annotations: Annotation[] = [
    ...failed.map(({ name, expected, received }): Annotation => {
      return { level: 'error', title: `Coverage: ${name}`, message: `Expected ${expected}, received ${received}.` }
    }),
    ...(never.length === 0 ? [] : [{ level: 'warning', title: 'Coverage: never requested', message: names } as const]),
    { level: 'notice', title: `Coverage: ${percent} %`, message: summary },
  ]
  return [...annotations.map(workflowCommand), ''].join('\n')
}

/** A report as JUnit's XML: a test for each limit, and one for each operation, which is skipped where it was never requested. */
export function renderJunit({ report, checks }: RenderedReport): string {
  const limits = checks.map(({ name, passed, expected, received }) =>
    passed
      ? element('testcase', { classname: 'coverage', name: `${name}: ${expected}` })
      : element('testcase', { classname: 'coverage', name: `${name}: ${expected}` }, [
          element('failure', { message: `${name}: expected ${expected}, received ${received}` }),
        ]),
  )
  const operations = report.operations.map((operation) => {
    const { operationId: name, requests, covered, total, percent } = operation
    const missed = missedOf(operation).map(([kind, names]) => `not covered: ${kind}: ${names.join(', ')}`)
    const output = [`${covered} of ${total} (${percent} %), ${counted(requests, 'request')}`, ...missed].join('\n')
    return element('testcase', { classname: report.contract, name }, [
      requests === 0
        ? element('skipped', { message: 'never requested' })
        : `<system-out>${escapeXml(output)}</system-out>`,
    ])
  })
  const failures = checks.filter(({ passed }) => !passed).length
  const skipped = report.operations.filter(({ requests }) => requests === 0).length
  return junitReport('coverage', { failures, skipped }, [...limits, ...operations])
}

/** A report for a pull request, or for the summary of a job. */
export function renderMarkdown({ report, checks }: RenderedReport): string {
  const { requests, sandboxes, total, kinds } = report
  const { requested, never } = splitOperations(report)
  const { met } = metFaults(report)
  const beyond = beyondContract(report)
  const missed = requested.filter(({ covered, total: all }) => covered < all)
  const show = (counts: typeof met) => counts.map(({ name, count }) => `${code(name)} (${count})`).join(', ')
  const parts = [
    `## Coverage of ${escapeMarkdown(report.contract)}: ${total.percent} %`,
    checks.map(
      ({ passed, name, expected, received }) => `- ${passed ? '✅' : '❌'} ${name}: ${expected}, received ${received}`,
    ),
    `${counted(requests, 'request')} in ${counted(sandboxes, 'sandbox', 'sandboxes')}.`,
    markdownTable(
      ['Kind', { number: 'Covered' }, ''],
      [
        ...kinds.map((one) => [one.kind, `${one.covered} of ${one.total}`, `${one.percent} %`]),
        ['**total**', `**${total.covered} of ${total.total}**`, `**${total.percent} %**`],
      ],
    ),
    requested.length > 0 &&
      markdownTable(
        ['Operation', { number: 'Requests' }, { number: 'Covered' }, { number: '' }],
        requested.map((one) => [
          code(one.operationId),
          one.requests,
          `${one.covered} of ${one.total}`,
          `${one.percent} %`,
        ]),
      ),
    ...missed.map((one) => [
      `<details><summary>Not covered of ${escapeMarkdown(one.operationId)}</summary>`,
      '',
      ...missedOf(one).map(([kind, names]) => `- ${kind}: ${names.map(code).join(', ')}`),
      '',
      '</details>',
    ]),
    never.length > 0 &&
      `**Never requested (${never.length}):** ${listed(
        never.map(({ operationId }) => code(operationId)),
        MAX_LISTED,
      )}`,
    ...behavioursByBasis(report).map(
      ({ basis, behaviours }) =>
        `**${behaviours.length} ${basis} behaviours:** ${listed(
          behaviours.map(({ id }) => code(id)),
          MAX_LISTED,
        )}`,
    ),
    `**Faults met:** ${met.length === 0 ? 'none' : show(met)}`,
    beyond.length > 0 && `**Not in the contract:** ${show(beyond)}`,
  ]
  return parts
    .filter((part) => part !== false && part.length > 0)
    .map((part) => `${typeof part === 'string' ? part : (part as readonly string[]).join('\n')}\n`)
    .join('\n')
}

/** A summary of GitHub has room for a megabyte. */
const MAX_LISTED = 200
