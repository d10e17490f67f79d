/** Report schedules as one would keep them in an afternoon: a map, and no thought of time zones that change. */

export interface Parts {
  readonly frequency?: string
  readonly daysToRun?: string
  readonly hourOfDay?: number
  readonly minOfHour?: number
  readonly timezone?: string
  readonly enabled?: boolean
  readonly additionalRecipients?: readonly { readonly type: string; readonly value: string }[]
}

export interface Info {
  readonly title?: string
  readonly pageId?: number | bigint
  readonly viewId?: number | bigint
  readonly attachmentInclude?: boolean
  readonly schedule?: Parts
}

/** The behaviours that the model knows several settings of. */
export interface Rules {
  readonly omitted: 'keep' | 'clear'
  readonly schedule: 'replace' | 'deep-merge'
  readonly links: 'allow' | 'ignore'
  readonly passes: 'on-read' | 'frozen-at-write'
}

interface Stored {
  readonly title?: string | undefined
  readonly pageId?: number | bigint | undefined
  readonly viewId?: number | bigint | undefined
  readonly schedule?: Parts | undefined
  readonly written: number
}

/** What an answer shows of a schedule, in full; undefined is a refusal. */
export type Shown = Record<string, unknown> | undefined

const NEEDED = ['frequency', 'daysToRun', 'hourOfDay', 'minOfHour'] as const
const DEFAULTS = { timezone: 'UTC', enabled: true, additionalRecipients: [] }

export class NaiveReportSchedules {
  readonly stored = new Map<number, Stored>()
  readonly rules: Rules
  nextId: number

  constructor(rules: Rules, nextId: number) {
    this.rules = rules
    this.nextId = nextId
  }

  copy(): NaiveReportSchedules {
    const copy = new NaiveReportSchedules(this.rules, this.nextId)
    for (const [id, one] of this.stored) copy.stored.set(id, one)
    return copy
  }

  /** A create whose values are all right; parts may lack. */
  create({ title, pageId, viewId, schedule }: Info, now: number): Shown {
    if (title === undefined || pageId === undefined || viewId === undefined || !isWhole(schedule)) return undefined
    const id = this.nextId++
    this.stored.set(id, { title, pageId, viewId, schedule: { ...DEFAULTS, ...schedule }, written: now })
    return this.show(id, now)
  }

  /** An update whose values are all right; parts may lack, and days may not fit a frequency that is kept. */
  update(id: number, info: Info, now: number): Shown {
    const before = this.stored.get(id)
    if (!before) return undefined
    const { omitted, links } = this.rules
    let { schedule } = info
    if (schedule) {
      if (this.rules.schedule === 'replace' && !isWhole(schedule)) return undefined
      const base = this.rules.schedule === 'deep-merge' ? before.schedule : undefined
      schedule = { ...DEFAULTS, ...base, ...schedule }
      if (!daysFit(schedule)) return undefined
    }
    if (Object.keys(info).length === 0 && omitted === 'keep') return this.show(id, now)
    const { attachmentInclude: _unseen, ...sent } = { ...info, ...(schedule ? { schedule } : {}) }
    const kept = omitted === 'keep' ? before : {}
    const linked = links === 'ignore' ? { pageId: before.pageId, viewId: before.viewId } : {}
    this.stored.set(id, { ...kept, ...sent, ...linked, written: now })
    return this.show(id, now)
  }

  /** Members that are undefined are left out of an answer. */
  show(id: number, now: number): Shown {
    const one = this.stored.get(id)
    if (!one) return undefined
    const { title, pageId, viewId, schedule, written } = one
    const from = this.rules.passes === 'on-read' ? now : written
    const recipients = schedule?.additionalRecipients ?? []
    const shown = schedule && { ...schedule, nextRunDate: schedule.enabled ? naiveNextRun(schedule, from) : undefined }
    const recipientCount = new Set(recipients.map(({ type, value }) => `${type} ${value}`)).size
    return {
      id,
      title,
      pageId,
      reportViewId: viewId,
      embedViewId: viewId,
      ownerId: 1,
      owner: true,
      recipientCount,
      schedule: shown,
    }
  }
}

function isWhole(schedule: Parts | undefined): boolean {
  return schedule !== undefined && NEEDED.every((name) => schedule[name] !== undefined)
}

function daysFit({ frequency, daysToRun }: Parts): boolean {
  if (frequency === undefined || daysToRun === undefined) return true
  return /^\d+$/.test(daysToRun) === (frequency === 'MONTHLY')
}

/** Zones that never change their clocks, by minutes ahead of UTC. */
export const ZONES = { UTC: 0, GMT: 0, 'Etc/GMT+5': -300, 'Asia/Kolkata': 330, 'Asia/Tokyo': 540 } as const
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const DAY = 86_400_000

/** Tries day after day. */
function naiveNextRun(schedule: Parts, from: number): number | undefined {
  const { frequency, daysToRun, hourOfDay, minOfHour, timezone = 'UTC' } = schedule
  if (frequency === undefined || daysToRun === undefined || hourOfDay === undefined || minOfHour === undefined)
    return undefined
  const ahead = ZONES[timezone as keyof typeof ZONES] * 60_000
  for (let day = Math.floor((from + ahead) / DAY) - 1; ; day++) {
    const date = new Date(day * DAY)
    const fits =
      frequency === 'WEEKLY' ? WEEKDAYS[date.getUTCDay()] === daysToRun : String(date.getUTCDate()) === daysToRun
    const run = day * DAY + (hourOfDay * 60 + minOfHour) * 60_000 - ahead
    if (fits && run > from) return run
  }
}
