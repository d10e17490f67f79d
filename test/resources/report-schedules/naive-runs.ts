import { naiveRuns, readTimeline, type Timeline } from './naive-calendar.ts'
import type { RunRule } from '../../../src/resources/report-schedules/report-schedule.ts'

/**
 * Report schedules that run, as one would write them without a thought of cost: whenever time passes, every schedule's runs of the
 * whole calendar are looked through. The calendar itself is read off the wall clocks of the zones, a quarter of an hour at a time.
 */

export interface NaiveSchedule {
  readonly title: string
  readonly rule: RunRule
  readonly enabled: boolean
  readonly recipients: readonly string[]
}

export const FIRST = Date.parse('2026-01-15T00:00:00Z')
export const LAST = Date.parse('2027-02-15T00:00:00Z')
export const ZONES = ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'] as const

const timelines = new Map<string, Timeline>()
const CHOICES = { shortMonth: 'skip', gap: 'forward', overlap: 'earlier', when: 'strict' } as const

function runsOf(rule: RunRule): number[] {
  const timeline = timelines.get(rule.timezone) ?? readTimeline(rule.timezone, FIRST, LAST)
  timelines.set(rule.timezone, timeline)
  return naiveRuns(timeline, rule, CHOICES)
}

/** What a run looks like in an answer: `2026-03-09T12:30:00.000Z 7 Weekly sales a@b,c@d`. */
export type RunLine = string

export class NaiveRuns {
  now: number
  nextId = 1
  readonly schedules = new Map<number, NaiveSchedule>()
  readonly lastRuns = new Map<number, number>()
  readonly lines: RunLine[] = []

  constructor(now: number) {
    this.now = now
  }

  copy(): NaiveRuns {
    const copy = new NaiveRuns(this.now)
    copy.nextId = this.nextId
    for (const [id, schedule] of this.schedules) copy.schedules.set(id, schedule)
    for (const [id, at] of this.lastRuns) copy.lastRuns.set(id, at)
    copy.lines.push(...this.lines)
    return copy
  }

  create(schedule: NaiveSchedule): void {
    this.schedules.set(this.nextId++, schedule)
  }

  /** The instants still to come, with their schedules. */
  toCome(): { at: number; id: number; schedule: NaiveSchedule }[] {
    return [...this.schedules]
      .filter(([, { enabled }]) => enabled)
      .flatMap(([id, schedule]) => {
        const after = Math.max(this.now, this.lastRuns.get(id) ?? 0)
        return runsOf(schedule.rule)
          .filter((at) => at > after)
          .map((at) => ({ at, id, schedule }))
      })
      .sort((a, b) => a.at - b.at || a.id - b.id)
  }

  advance(to: number): RunLine[] {
    const passed = this.toCome().filter(({ at }) => at <= to)
    const lines = passed.map(({ at, id, schedule }) => {
      this.lastRuns.set(id, at)
      return `${new Date(at).toISOString()} ${id} ${schedule.title} ${[...new Set(schedule.recipients)].join()}`
    })
    this.now = to
    this.lines.push(...lines)
    return lines
  }
}
