import { styleText } from 'node:util'
import type { CoverageReport, CoverageShare } from '../../../types/control-api.d.ts'
import { counted } from '../../base/errors/wording.ts'
import {
  behavioursByBasis,
  beyondContract,
  metFaults,
  missedOf,
  type RenderedReport,
  splitOperations,
} from './renderers.ts'
import { listed } from '../reports/listed.ts'

export interface TextOptions {
  readonly hasColours: boolean
  /** Characters of a line. */
  readonly width: number
}

/** A report for a terminal. */
export function renderText({ report, checks }: RenderedReport, options: TextOptions): string {
  const paint = painter(options)
  const sections = [
    [
      `${report.contract}: ${counted(report.requests, 'request')} in ${counted(report.sandboxes, 'sandbox', 'sandboxes')}`,
    ],
    renderKinds(report, options),
    renderOperations(report, options),
    renderMissed(report, options),
    renderBehaviours(report, options),
    renderOthers(report, options),
    checks.map(({ passed, name, expected, received }) =>
      passed
        ? `${paint('green', '✓')} ${name}: ${expected}, received ${received}`
        : `${paint('red', '✗')} ${name}: expected ${expected}, received ${received}`,
    ),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

type TextStyle = Parameters<typeof styleText>[0]

function painter({ hasColours }: TextOptions) {
  return (format: TextStyle, text: string) => (hasColours ? styleText(format, text, { validateStream: false }) : text)
}

const BAR = 20

function renderKinds({ kinds, total }: CoverageReport, options: TextOptions): string[] {
  const paint = painter(options)
  const rows = [...kinds.map((one) => [one.kind, one] as const), ['total', total] as const]
  const widths = [widest(rows.map(([name]) => name)), widest(rows.map(([, share]) => ofTotal(share)))] as const
  return rows.map(([name, share]) => {
    const line = `${name.padEnd(widths[0])}  ${ofTotal(share).padStart(widths[1])}  ${percentOf(share)}`
    const full = Math.floor((BAR * share.percent) / 100)
    const bar = paint(colourOf(share), '█'.repeat(full)) + paint('dim', '░'.repeat(BAR - full))
    return `${name === 'total' ? paint('bold', line) : line}  ${bar}`
  })
}

function ofTotal({ covered, total }: CoverageShare): string {
  return `${covered} of ${total}`
}

function percentOf({ percent }: CoverageShare): string {
  return `${percent.toFixed(1)} %`.padStart(7)
}

function colourOf({ percent }: CoverageShare): 'green' | 'yellow' | 'red' {
  if (percent >= 80) return 'green'
  return percent >= 50 ? 'yellow' : 'red'
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length))
}

function renderOperations(report: CoverageReport, options: TextOptions): string[] {
  const paint = painter(options)
  const { requested } = splitOperations(report)
  if (requested.length === 0) return []
  const names = widest(['Operation', ...requested.map(({ operationId }) => operationId)])
  const requests = widest(['Requests', ...requested.map((one) => String(one.requests))])
  const covered = widest(['Covered', ...requested.map(ofTotal)])
  return [
    paint('bold', `${'Operation'.padEnd(names)}  ${'Requests'.padStart(requests)}  ${'Covered'.padStart(covered)}`),
    ...requested.map((one) => {
      const line = `${one.operationId.padEnd(names)}  ${String(one.requests).padStart(requests)}  ${ofTotal(one).padStart(covered)}`
      return `${line}  ${paint(colourOf(one), percentOf(one))}`
    }),
  ]
}

/** A contract can have a thousand. */
const MAX_NEVER = 100

function renderMissed(report: CoverageReport, options: TextOptions): string[] {
  const paint = painter(options)
  const { requested, never } = splitOperations(report)
  const lines = requested.flatMap((one) => {
    const missed = missedOf(one)
    if (missed.length === 0) return []
    const kinds = missed.map(([kind, names]) => [`  ${kind}`, names.join(', ')] as const)
    return [one.operationId, ...renderTerms(kinds, options)]
  })
  const names = listed(
    never.map(({ operationId }) => operationId),
    MAX_NEVER,
  )
  const missing = never.length === 0 ? [] : renderTerms([[`never requested (${never.length})`, names]], options)
  return lines.length + missing.length === 0 ? [] : [paint('bold', 'Not covered'), ...lines, ...missing]
}

function renderBehaviours(report: CoverageReport, options: TextOptions): string[] {
  const bases = behavioursByBasis(report)
  if (bases.length === 0) return []
  const terms = bases.map(({ basis, behaviours }) => {
    const ids = behaviours.map(({ id }) => id).join(', ')
    return [`  ${basis} (${behaviours.length})`, ids] as const
  })
  return [painter(options)('bold', 'Behaviours that responses depended on'), ...renderTerms(terms, options)]
}

function renderOthers(report: CoverageReport, options: TextOptions): string[] {
  const { met, others } = metFaults(report)
  const beyond = beyondContract(report)
  const show = (counts: typeof met) => counts.map(({ name, count }) => `${name} (${count})`).join(', ')
  return renderTerms(
    [
      ['Faults met', met.length === 0 ? 'none' : show(met)],
      ...(met.length === 0 ? [] : [['Faults not met', others.map(({ name }) => name).join(', ')] as const]),
      ...(beyond.length === 0 ? [] : [['Not in the contract', show(beyond)] as const]),
    ],
    options,
  )
}

/** Terms, and what they are for in a column of its own. */
function renderTerms(terms: readonly (readonly [term: string, text: string])[], { width }: TextOptions): string[] {
  const indent = widest(terms.map(([term]) => term)) + 2
  return terms.flatMap(([term, text]) =>
    wrap(text, Math.max(20, width - indent)).map((line, at) => (at === 0 ? term : '').padEnd(indent) + line),
  )
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/(?<=,) /)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
