import { counted } from '../../base/errors/wording.ts'
import {
  behavioursByBasis,
  beyondContract,
  metFaults,
  missedOf,
  type RenderedReport,
  splitOperations,
} from './outline.ts'
import { listed } from '../reports/listed.ts'
import { code, escapeMarkdown, markdownTable } from '../reports/markdown.ts'

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
