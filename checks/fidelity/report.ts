import { ASPECTS, type Aspect, type Likeness } from './score.ts'
import type { Answer, Step } from './session.ts'
import type { Recorded } from './recording.ts'

/** One response beside that of the service. */
export interface Judged {
  readonly session: string
  readonly step: Step
  readonly expected: Recorded
  readonly received: Answer
  readonly likeness: Likeness
}

/** How many responses of a service are as the service's. */
export interface Figures {
  readonly requests: number
  /** By aspect: how many of those that the service's responses have. */
  readonly right: Readonly<Record<Aspect, readonly [right: number, of: number]>>
  /** The mean share of members that both have, 0 to 1. */
  readonly shared: number
  /** The median time of a response in ms. */
  readonly took: number
}

export function figuresOf(judged: readonly Judged[]): Figures {
  const count = (aspect: Aspect): readonly [number, number] => {
    const asked = judged.flatMap(({ likeness }) => likeness[aspect] ?? [])
    return [asked.filter(Boolean).length, asked.length]
  }
  const shared = judged.flatMap(({ likeness }) => likeness.shared ?? [])
  const times = judged.map(({ received }) => received.took).sort((one, other) => one - other)
  return {
    requests: judged.length,
    right: {
      status: count('status'),
      members: count('members'),
      counts: count('counts'),
      types: count('types'),
      values: count('values'),
    },
    shared: shared.reduce((sum, one) => sum + one, 0) / Math.max(1, shared.length),
    took: times[Math.floor(times.length / 2)] ?? 0,
  }
}

export function columnsOf(target: string): string {
  return `${target.padEnd(22)}${['requests', ...ASPECTS, 'shared', 'ms'].map((one) => one.padStart(10)).join('')}\n`
}

export function row(name: string, figures: Figures): string {
  return `${[name.padEnd(22), ...cellsOf(figures).map((cell) => cell.padStart(10))].join('')}\n`
}

function cellsOf(figures: Figures): string[] {
  const { requests, shared, took } = figures
  return [
    String(requests),
    ...ASPECTS.map((aspect) => share(figures, aspect)),
    shared === 0 ? '' : percent(shared),
    took === 0 ? '' : took.toFixed(1),
  ]
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

export function missOf({ session, step, expected, received, likeness }: Judged): string {
  const missed = ASPECTS.filter((aspect) => likeness[aspect] === false)
  if (missed.length === 0) return ''
  const status = expected.status === received.status ? `${expected.status}` : `${expected.status} ≠ ${received.status}`
  const { lacks = [], adds = [] } = likeness
  const named = [
    ...(lacks.length > 0 ? [`lacks ${listed(lacks)}`] : []),
    ...(adds.length > 0 ? [`adds ${listed(adds)}`] : []),
  ]
  return `    ${session}: ${step.method} ${step.path}  ${status}  ${[missed.join(', '), ...named].join('; ')}\n`
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 6).map((path) => path || 'a body')
  return paths.length > shown.length ? `${shown.join(' ')} and ${paths.length - shown.length} more` : shown.join(' ')
}

/** What fewer responses have right than before, in a sentence each. */
export function fallen(
  before: Readonly<Record<string, Pick<Figures, 'right'>>>,
  now: Readonly<Record<string, Figures>>,
): string[] {
  return Object.entries(now).flatMap(([name, { right }]) =>
    ASPECTS.flatMap((aspect) => {
      const [had = 0] = before[name]?.right[aspect] ?? []
      const [has] = right[aspect]
      return has < had ? [`${name}: ${has} responses have the ${aspect} of the service; there were ${had}.`] : []
    }),
  )
}

interface Measured {
  /** By target and service. */
  readonly results: Readonly<Record<string, Readonly<Record<string, Figures>>>>
  /** Of Standin, by service. */
  readonly misses: Readonly<Record<string, readonly Judged[]>>
}

const [BEGIN, END] = ['<!-- measured: begin -->', '<!-- measured: end -->']

/** The page with new figures between its marks. */
export function pageOf(page: string, { results, misses }: Measured): string {
  const [before = ''] = page.split(BEGIN)
  const after = page.slice(page.indexOf(END) + END.length)
  const services = Object.keys(results.standin ?? {})
  const perAspect = ASPECTS.map((aspect) => {
    const rows = services.map((service) => [
      `${service} (${results.standin?.[service]?.requests ?? 0} requests)`,
      ...Object.values(results).map((ofServices) => share(ofServices[service], aspect)),
    ])
    const names = Object.keys(results).map((target) => NAMES[target] ?? target)
    return `### ${aspect}\n\n${table(['', ...names], rows)}`
  })
  const causes = services.map((service) => {
    const found = causesOf(misses[service] ?? [])
    const summary = `<summary>${service}</summary>`
    return `<details>${summary}\n\n${table(['Requests', 'What was other'], found)}\n\n</details>`
  })
  return [
    `${before}${BEGIN}`,
    totalsTable(results),
    '## By service',
    ...perAspect,
    '## What Standin answers otherwise',
    ...causes,
    `${END}${after}`,
  ].join('\n\n')
}

/** The figures of all services together, with a row for each target. */
export function totalsTable(results: Measured['results']): string {
  const head = ['', 'Requests', 'Status', 'Members', 'Counts', 'Types', 'Values', 'Shared members', 'Median ms']
  const rows = Object.entries(results).map(([target, ofServices]) => [
    NAMES[target] ?? target,
    ...cellsOf(sumOf(Object.values(ofServices))),
  ])
  return table(head, rows)
}

function share(figures: Figures | undefined, aspect: Aspect): string {
  const [right, of] = figures?.right[aspect] ?? [0, 0]
  return of === 0 ? '' : percent(right / of)
}

const NAMES: Readonly<Record<string, string>> = {
  standin: '**Standin**',
  'standin-default': 'Standin with ten items',
  prism: 'Prism',
  scalar: 'Scalar',
  replay: 'replay',
  document: 'the document says',
}

export function sumOf(all: readonly Figures[]): Figures {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  const right = (aspect: Aspect): [number, number] => [
    sum(all.map((one) => one.right[aspect][0])),
    sum(all.map((one) => one.right[aspect][1])),
  ]
  const bodies = sum(all.map((one) => one.right.members[1]))
  return {
    requests: sum(all.map((one) => one.requests)),
    right: {
      status: right('status'),
      members: right('members'),
      counts: right('counts'),
      types: right('types'),
      values: right('values'),
    },
    shared: sum(all.map((one) => one.shared * one.right.members[1])) / Math.max(1, bodies),
    took: all.map((one) => one.took).sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0,
  }
}

/** The most frequent first. */
function causesOf(judged: readonly Judged[]): string[][] {
  const groups = Map.groupBy(
    judged.filter(({ likeness }) => ASPECTS.some((aspect) => likeness[aspect] === false)),
    causeOf,
  )
  return [...groups]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([cause, { length }]) => [String(length), cause])
}

function causeOf({ step, expected, received, likeness }: Judged): string {
  if (expected.status !== received.status) return `${step.method}: ${received.status} instead of ${expected.status}`
  const what = ASPECTS.filter((aspect) => likeness[aspect] === false)
  return `${step.method} ${expected.status}: other ${what.join(', ')}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
