import type { Delivery } from '../report-schedule.ts'
import { localTime } from '../time-zone.ts'

/** A reserved domain, which never exists (RFC 6761, 6.4). */
const DOMAIN = 'standin.invalid'
export const SENDER = `reports@${DOMAIN}`

export type Message = ReturnType<typeof messageOf>

/**
 * The message of a delivery. A user or a group has no address, so it gets one such as `user-27@standin.invalid`.
 *
 * @param timezone of the schedule when it ran
 */
export function messageOf(sandbox: string, delivery: Delivery, timezone: string) {
  const { recipient, title, pageId, viewId, at, id, runId, attachmentInclude } = delivery
  const { type, value } = recipient
  const facts = [
    ['Report', title],
    ['Page', String(pageId ?? '')],
    ['View', String(viewId ?? '')],
    ['Run at', `${localTime(at, timezone)} (${timezone})`],
  ] as const
  const csv = () => facts.map((row) => row.map(quoted).join(',')).join('\r\n')
  return {
    from: `Standin <${SENDER}>`,
    to: type === 'EMAIL' ? value : `${type.toLowerCase()}-${encodeURIComponent(value)}@${DOMAIN}`,
    subject: title === '' ? '(no title)' : title,
    // By the clock of the sandbox.
    date: new Date(at),
    messageId: `<${sandbox}.${runId}.${id}.${at}@${DOMAIN}>`,
    headers: {
      'X-Standin-Sandbox': sandbox,
      'X-Standin-Schedule': String(delivery.reportScheduleId),
      'X-Standin-Run': String(runId),
      'X-Standin-Delivery': String(id),
      'X-Standin-Recipient': `${type} ${encodeURIComponent(value)}`,
    },
    text: `${facts.map(([name, fact]) => `${name}: ${fact}`).join('\n')}\n`,
    attachments: attachmentInclude ? [{ filename: 'report.csv', content: csv() }] : [],
  }
}

/** RFC 4180, 2. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
