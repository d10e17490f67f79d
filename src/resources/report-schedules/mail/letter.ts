import type { Delivery, Run } from '../report-schedule.ts'
import { localTime } from '../time-zone.ts'

/** A delivery as a message. */
export interface Letter {
  readonly from: string
  readonly to: string
  readonly subject: string
  /** When the run was, by the sandbox's clock. */
  readonly date: Date
  readonly messageId: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** A small table, where the schedule asks for the attachment. */
  readonly attachment: { readonly filename: string; readonly content: string } | undefined
}

/** A reserved domain, which never exists (RFC 6761, 6.4). */
const DOMAIN = 'standin.invalid'
export const SENDER = `reports@${DOMAIN}`

/**
 * A delivery as a message: the title is the subject, and the run is in the text and in headers `X-Standin-…`. A user or a
 * group has no address here, so it gets one such as `user-27@standin.invalid`.
 */
export function writeLetter(sandbox: string, run: Run, delivery: Delivery): Letter {
  const { recipient, title, pageId, viewId, at, id, attachmentInclude } = delivery
  const { type, value } = recipient
  const timezone = run.reportSchedule.schedule?.timezone ?? 'UTC'
  const facts = [
    ['Report', title],
    ['Page', String(pageId ?? '')],
    ['View', String(viewId ?? '')],
    ['Run at', `${localTime(at, timezone)} (${timezone})`],
  ] as const
  return {
    from: `Standin <${SENDER}>`,
    to: type === 'EMAIL' ? value : `${type.toLowerCase()}-${encodeURIComponent(value)}@${DOMAIN}`,
    subject: title === '' ? '(no title)' : title,
    date: new Date(at),
    messageId: `<${sandbox}.${run.id}.${id}.${at}@${DOMAIN}>`,
    headers: {
      'X-Standin-Sandbox': sandbox,
      'X-Standin-Schedule': String(delivery.reportScheduleId),
      'X-Standin-Run': String(run.id),
      'X-Standin-Delivery': String(id),
      'X-Standin-Recipient': `${type} ${encodeURIComponent(value)}`,
    },
    text: `${facts.map(([name, fact]) => `${name}: ${fact}`).join('\n')}\n`,
    attachment: attachmentInclude
      ? { filename: 'report.csv', content: facts.map((row) => row.map(quoted).join(',')).join('\r\n') }
      : undefined,
  }
}

/** RFC 4180, 2. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
