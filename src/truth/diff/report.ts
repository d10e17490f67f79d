import { counted, visible } from '../../base/errors/wording.ts'
import { stringifyJson } from '../../base/formats/json.ts'
import { workflowCommand } from '../reports/workflow-command.ts'
import type { AffectedRequest, Impact } from './affected.ts'
import { listed } from '../reports/listed.ts'
import { code, escapeMarkdown } from '../reports/markdown.ts'
import { type Change, type Severity, LEVELS, type OperationPart, type Use } from './change.ts'

export interface DiffReport {
  /** Names of the files. */
  readonly old: string
  readonly now: string
  readonly changes: readonly Change[]
  /** Undefined when no traffic was given. */
  readonly impact: Impact | undefined
}

/** `standin diff` in each format that it prints. */
export const REPORTS: Readonly<Record<DiffFormat, (report: DiffReport) => string>> = {
  text: textOf,
  markdown: markdownOf,
  json: jsonOf,
  github: githubOf,
}

export type DiffFormat = 'text' | 'markdown' | 'json' | 'github'

/** Whether clients break: any, or where traffic was given, the one that sent it. */
export function isBreaking({ changes, impact }: DiffReport): boolean {
  if (!impact) return changes.some(({ level }) => level === 'breaking')
  return impact.affected.some((one) => one.refusals.length > 0 || one.changes.some(({ level }) => level === 'breaking'))
}

/** A heading and the changes below it. */
interface Section {
  readonly title: string
  readonly changes: readonly Change[]
}

function sectionsOf({ changes, impact }: DiffReport): Section[] {
  const isMine = (change: Change) => impact?.affected.some((one) => one.changes.includes(change)) === true
  const all = (level: Severity) => changes.filter((change) => change.level === level)
  const sections = impact
    ? [
        { title: 'breaking, and your requests are affected', changes: all('breaking').filter(isMine) },
        { title: 'warnings, and your requests are affected', changes: all('warning').filter(isMine) },
        {
          title: 'breaking, but none of your requests is affected',
          changes: all('breaking').filter((one) => !isMine(one)),
        },
        {
          title: 'warnings, but none of your requests is affected',
          changes: all('warning').filter((one) => !isMine(one)),
        },
        { title: 'compatible', changes: all('compatible') },
      ]
    : LEVELS.map((level) => ({ title: level === 'warning' ? 'warnings' : level, changes: all(level) }))
  return sections.filter((section) => section.changes.length > 0)
}

function textOf(report: DiffReport): string {
  const { impact } = report
  return [
    `${report.old} → ${report.now}: ${summaryOf(report)}`,
    ...sectionsOf(report).flatMap(({ title, changes }) => [
      '',
      title,
      ...changes.flatMap((change) => [
        `  ${sentenceOf(change)}`,
        ...[alsoIn(change), placesOf(change), ...requestsOf(change, impact)]
          .filter(isSaid)
          .map((line) => `      ${line}`),
      ]),
    ]),
    ...(unexplained(impact).length > 0 ? ['', ...unexplained(impact)] : []),
    '',
  ]
    .map(visible)
    .join('\n')
}

function isSaid(line: string): boolean {
  return line !== ''
}

/** `GET /orders: response 200 /items/0/status may now be "lost"`. */
function sentenceOf({ words, uses: [use] }: Change): string {
  if (!use) return words
  const where = whereOf(use)
  return `${use.operation}${where === '' ? '' : `: ${where}`} ${words}`
}

function whereOf({ part, pointer }: Use): string {
  return [nameOf(part), pointer].filter(isSaid).join(' ')
}

function nameOf(part: OperationPart): string {
  if (part.kind === 'operation') return ''
  if (part.kind === 'parameter') return `${part.in} parameter ${part.name}`
  const type = part.mediaType === undefined || /\bjson\b/.test(part.mediaType) ? '' : ` (${part.mediaType})`
  if (part.kind === 'request-body') return `request body${type}`
  return `response ${part.status}${part.header === undefined ? '' : ` header ${part.header}`}${type}`
}

/** Other places are counted beyond these. */
const MAX_NAMED = 3

/** One place of each other message: a schema that refers to itself is at many in one. */
function alsoIn({ uses: [first, ...others] }: Change): string {
  const places = others.map((use) => [use.operation, nameOf(use.part), use] as const)
  const seen = new Set(first ? [`${first.operation} ${nameOf(first.part)}`] : [])
  const rest = places.flatMap(([operation, part, use]) => {
    if (seen.has(`${operation} ${part}`)) return []
    seen.add(`${operation} ${part}`)
    return [[...(operation === first?.operation ? [] : [operation]), whereOf(use)].filter(isSaid).join(': ')]
  })
  return rest.length === 0 ? '' : `also ${listed(rest, MAX_NAMED)}`
}

function placesOf({ before, after }: Change): string {
  return [before, after].filter((place) => place !== undefined).join(' → ')
}

/** The requests that a change affects, each by its name. */
function requestsOf(change: Change, impact: Impact | undefined): string[] {
  const affected = impact?.affected.filter((one) => one.changes.includes(change)) ?? []
  const named = affected.slice(0, MAX_REQUESTS).map((one) => requestLine(one, change.side === 'request'))
  const more = affected.length - named.length
  return more > 0 ? [...named, `- and ${counted(more, 'other request')}`] : named
}

/** Of one change. The JSON report has all. */
const MAX_REQUESTS = 10

function requestLine({ method, url, source, refusals }: AffectedRequest, withReasons = true): string {
  const reasons = withReasons && refusals.length > 0 ? `: ${refusals.slice(0, 2).join(' ')}` : ''
  return `- ${method} ${url} (${source})${reasons}`
}

/** Requests that NEW refuses for a reason that is not among the changes. */
function unexplained(impact: Impact | undefined): string[] {
  const lone = impact?.affected.filter(({ changes }) => changes.length === 0) ?? []
  return lone.length === 0
    ? []
    : ['refused for a reason that is not listed above', ...lone.map((one) => `  ${requestLine(one)}`)]
}

function summaryOf({ changes, impact }: DiffReport): string {
  const count = (level: Severity, name: string) => {
    const found = changes.filter((change) => change.level === level).length
    return found === 0 ? [] : [counted(found, name)]
  }
  const counts = [
    ...count('breaking', 'breaking change'),
    ...count('warning', 'warning'),
    ...count('compatible', 'compatible change'),
  ]
  const all = counts.length === 0 ? 'nothing changed for clients' : counts.join(', ')
  if (!impact) return all
  return `${all}. Affected: ${impact.affected.length} of ${counted(impact.requests, 'request')}`
}

function markdownOf(report: DiffReport): string {
  const { impact } = report
  return [
    `### ${code(report.old)} → ${code(report.now)}`,
    '',
    `${summaryOf(report)}.`,
    ...sectionsOf(report).flatMap(({ title, changes }) => [
      '',
      `#### ${title.charAt(0).toUpperCase()}${title.slice(1)}`,
      '',
      ...changes.flatMap((change) => [
        `- ${markdownSentence(change)}`,
        ...[alsoIn(change), placesOf(change)].filter(isSaid).map((line) => `  <br>${escapeMarkdown(line)}`),
        ...requestsOf(change, impact).map((line) => `  ${line.slice(0, 2)}${escapeMarkdown(line.slice(2))}`),
      ]),
    ]),
    ...unexplained(impact).map((line) => `\n${escapeMarkdown(line)}`),
    '',
  ].join('\n')
}

function markdownSentence({ words, uses: [use] }: Change): string {
  if (!use) return escapeMarkdown(words)
  const where = [nameOf(use.part), use.pointer === '' ? '' : code(use.pointer)].filter(isSaid).join(' ')
  return `**${code(use.operation)}**${where === '' ? '' : `: ${where}`} ${words.replaceAll(/[<*_]/g, String.raw`\$&`)}`
}

function jsonOf({ old, now, changes, impact }: DiffReport): string {
  const count = (level: Severity) => changes.filter((change) => change.level === level).length
  const [breaking, warnings, compatible] = LEVELS.map(count)
  const requests = impact && {
    ...impact,
    affected: impact.affected.map((one) => ({ ...one, changes: one.changes.map((change) => changes.indexOf(change)) })),
  }
  return `${stringifyJson({ old, new: now, breaking, warnings, compatible, changes, ...(requests && { requests }) })}\n`
}

/** Workflow commands, which GitHub shows beside the lines of a pull request. */
function githubOf(report: DiffReport): string {
  const { changes, impact } = report
  const isMine = (change: Change) => !impact || impact.affected.some((one) => one.changes.includes(change))
  const lines = changes
    .filter(({ level }) => level !== 'compatible')
    .map((change) => {
      const isBreaking = change.level === 'breaking'
      return workflowCommand({
        level: isBreaking && isMine(change) ? 'error' : 'warning',
        title: isBreaking ? 'Breaking change' : 'Contract change',
        message: [sentenceOf(change), alsoIn(change), ...requestsOf(change, impact)].filter(isSaid).join('\n'),
        place: change.after ?? change.before,
      })
    })
  const lone = unexplained(impact)
  const refused =
    lone.length === 0 ? [] : [workflowCommand({ level: 'error', title: 'Refused requests', message: lone.join('\n') })]
  return `${[...lines, ...refused, summaryOf(report)].join('\n')}\n`
}
