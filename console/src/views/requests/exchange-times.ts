import type { ExchangeRecord } from '../../../../src/control/client/types.ts'

const REAL = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** When a request was sent, by the wall clock of the person who looks. @example '23 Nov, 12:50:11' */
export function realTime({ answeredAt, milliseconds }: Pick<ExchangeRecord, 'answeredAt' | 'milliseconds'>): string {
  return REAL.format(Date.parse(answeredAt) - milliseconds)
}

/** An instant of the sandbox's clock, in UTC. @example sandboxTime('2026-03-05T14:30:00.000Z') // '2026-03-05 14:30:00' */
export function sandboxTime(now: string): string {
  return `${now.slice(0, 10)} ${now.slice(11, 19)}`
}
