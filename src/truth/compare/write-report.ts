import { textOrJson } from '../../base/formats/json.ts'
import { counted } from '../../base/errors/wording.ts'
import { workflowCommand } from '../reports/workflow-command.ts'
import { code, markdownTable } from '../reports/markdown.ts'
import type { DifferenceGroup, ExplainedBehaviour, ComparisonReport } from './report.ts'

export type ComparisonFormat = 'text' | 'json' | 'markdown' | 'github'

/** The report in one of the formats. */
export function writeReport(report: ComparisonReport, format: ComparisonFormat): string {
  return WRITERS[format](report)
}

const WRITERS: Readonly<Record<ComparisonFormat, (report: ComparisonReport) => string>> = {
  text: asText,
  json: (report) =>
    `${JSON.stringify(report, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2)}\n`,
  markdown: asMarkdown,
  github: asAnnotations,
}

/** Differences that are listed for each behaviour. */
const MOST_LISTED = 5

function asText(report: ComparisonReport): string {
  const { behaviours, others, notes } = report
  return (
    [
      summaryOf(report),
      ...behaviours.map(explainInText),
      ...(others.length === 0
        ? []
        : [
            `${behaviours.length === 0 ? 'Differences' : 'Differences that no setting explains'}\n${others.map(describe).join('\n')}`,
          ]),
      ...notes,
      ...(behaviours.length === 0
        ? []
        : [`To respond like ${report.target}:\n  standin serve ${behaviours.map(({ flag }) => flag).join(' ')}`]),
    ].join('\n\n') + '\n'
  )
}

function summaryOf({ standin, target, requests, cases, agreeing }: ComparisonReport): string {
  const end = agreeing === cases ? 'all agree' : `${agreeing} agree, ${cases - agreeing} differ`
  return `${standin} and ${target}: ${counted(requests, 'request')} in ${counted(cases, 'case')}, ${end}`
}

function explainInText(one: ExplainedBehaviour): string {
  const { id, question, setting, differences, flag, orElse } = one
  return [
    `${id}: ${question}`,
    `  ${flag} removes ${countOf(differences)} (it is ${textOrJson(setting)} here)`,
    ...(orElse.length === 0 ? [] : [`  These requests do not tell it from ${orElse.slice(0, 3).join(' or ')}.`]),
    ...differences.slice(0, MOST_LISTED).map(describe),
    ...(differences.length > MOST_LISTED ? [`    and ${differences.length - MOST_LISTED} more`] : []),
  ].join('\n')
}

function countOf(differences: readonly DifferenceGroup[]): string {
  return counted(
    differences.reduce((sum, { count }) => sum + count, 0),
    'difference',
  )
}

function describe({ operation, kind, where, standin, target, count, cases }: DifferenceGroup): string {
  const times = count === 1 ? '' : ` (${count} times)`
  return `    ${operation}\n      ${nameOf(kind, where)}: ${standin} here, ${target} there${times}, in: ${cases.join('; ')}`
}

function nameOf(kind: DifferenceGroup['kind'], where: string): string {
  if (kind === 'status' || kind === 'body') return kind
  if (kind === 'header') return `header ${where}`
  const words: Partial<Record<DifferenceGroup['kind'], string>> = {
    order: 'order of ',
    items: 'items of ',
    identity: 'identity of ',
    form: 'form of ',
    page: 'pages by ',
  }
  return `${words[kind] ?? ''}${where === '' ? 'the body' : where}`
}

function asMarkdown(report: ComparisonReport): string {
  const { behaviours, others, notes } = report
  const lines = [`**${summaryOf(report)}**`, '']
  if (behaviours.length > 0)
    lines.push(
      ...markdownTable(
        ['Behaviour', 'Here', 'There', { number: 'Differences that it removes' }],
        behaviours.map(({ id, question, setting, value, differences }) => [
          `${code(id)} ${question}`,
          code(textOrJson(setting)),
          code(textOrJson(value)),
          countOf(differences).split(' ')[0] ?? '',
        ]),
      ),
      ...['', '```sh', `standin serve ${behaviours.map(({ flag }) => flag).join(' ')}`, '```', ''],
    )
  if (others.length > 0)
    lines.push(
      ...markdownTable(
        ['Not explained by a behaviour', 'Here', 'There', { number: 'Times' }],
        others.map(({ operation, kind, where, standin, target, count }) => [
          `${operation}: ${nameOf(kind, where)}`,
          standin,
          target,
          count,
        ]),
      ),
      '',
    )
  return [...lines, ...notes.map((note) => `- ${note}`), ''].join('\n')
}

/** Workflow commands of GitHub Actions, which show as annotations. */
function asAnnotations(report: ComparisonReport): string {
  const { behaviours, others } = report
  const warnings = [
    ...behaviours.map(({ id, question, flag, differences }) => ({
      title: id,
      message: `${question} ${flag} removes ${countOf(differences)}.`,
    })),
    ...others.map((one) => ({
      title: 'Response differs',
      message: describe(one)
        .trim()
        .replaceAll(/\s*\n\s*/g, ': '),
    })),
  ]
  const lines = warnings.map((one) => workflowCommand({ level: 'warning', ...one }))
  return [...lines, summaryOf(report), ''].join('\n')
}
