import { counted } from '../../errors/counted.ts'
import { isObject } from '../../formats/json.ts'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import { refusal } from '../handler.ts'
import type { Reader } from '../reader.ts'
import { oneOf } from '../../errors/nearest.ts'
import type { Violation } from '../../errors/problem.ts'
import { isKnownId, type KnownIds } from '../../engine/known-ids.ts'
import type { Recipient } from './calendar/report-schedule.ts'

const POINTER = '/schedule/additionalRecipients'
const LONGEST_ADDRESS = 254

interface RecipientReader extends Reader {
  /** Ids that fixtures list; undefined where any may be named. */
  readonly knownIds?: KnownIds | undefined
}

/** Reads the recipients of a schedule; undefined when they are no array, which the contract refuses. */
export function readRecipients(sent: unknown, reader: RecipientReader): readonly Recipient[] | undefined {
  const { tracker, violations } = reader
  if (!Array.isArray(sent)) return undefined
  const most = tracker.answers['recipient.max']
  if (sent.length > most) {
    violations.push(
      refusal('recipient.max', { pointer: POINTER }, `at most ${counted(most, 'recipient')}`, sent.length),
    )
    return undefined
  }
  const recipients = sent.flatMap((one: unknown, index) => readRecipient(one, `${POINTER}/${index}`, reader) ?? [])
  return distinct(recipients, tracker, violations)
}

function readRecipient(
  one: unknown,
  pointer: string,
  { tracker, violations, knownIds }: RecipientReader,
): Recipient | undefined {
  if (!isObject(one)) return undefined
  const { type, value } = one
  const known: readonly string[] = tracker.answers['recipient.types']
  if (type !== 'EMAIL') tracker.note('recipient.types')
  if (type === undefined || (typeof type === 'string' && !known.includes(type))) {
    violations.push(refusal('recipient.types', { pointer: `${pointer}/type` }, oneOf(known, type), type))
  }
  if (type === 'EMAIL' && (value === undefined || typeof value === 'string')) {
    if (value === undefined || (!isAddress(value) && tracker.ask('recipient.email') === 'light')) {
      const expected = `an e-mail address of at most ${LONGEST_ADDRESS} characters, such as jane@example.com`
      violations.push(refusal('recipient.email', { pointer: `${pointer}/value` }, expected, value))
    }
  } else if (
    (type === 'USER' || type === 'GROUP') &&
    (value === undefined || (typeof value === 'string' && !/^\d+$/.test(value)))
  ) {
    tracker.note('recipient.id')
    violations.push(
      refusal('recipient.id', { pointer: `${pointer}/value` }, `the id of a ${type.toLowerCase()} in digits`, value),
    )
  } else if ((type === 'USER' || type === 'GROUP') && typeof value === 'string' && knownIds) {
    const list = type === 'USER' ? 'users' : 'groups'
    if (tracker.ask('recipients.known') === 'listed' && !isKnownId(knownIds, list, value)) {
      const expected = `the id of a ${type.toLowerCase()} that a fixture lists under ${list}`
      violations.push(refusal('recipients.known', { pointer: `${pointer}/value` }, expected, value))
    }
  }
  return typeof type === 'string' && typeof value === 'string' ? { type, value } : undefined
}

/** One `@` with something on both sides, no space and no control character: one pass, no backtracking. */
function isAddress(text: string): boolean {
  const at = text.indexOf('@')
  if (text.length > LONGEST_ADDRESS || at < 1 || at === text.length - 1 || text.includes('@', at + 1)) return false
  return !/[\s\p{Cc}]/u.test(text)
}

function distinct(
  recipients: readonly Recipient[],
  tracker: BehaviourTracker,
  violations: Violation[],
): readonly Recipient[] {
  if (recipients.length < 2) return recipients
  const seen = new Map<string, Recipient>()
  for (const [index, recipient] of recipients.entries()) {
    const key = JSON.stringify([recipient.type, recipient.value])
    if (seen.has(key) && tracker.ask('recipient.duplicates') === 'error') {
      violations.push(
        refusal('recipient.duplicates', { pointer: `${POINTER}/${index}` }, 'each recipient once', recipient),
      )
    }
    seen.set(key, recipient)
  }
  return tracker.answers['recipient.duplicates'] === 'dedupe' ? [...seen.values()] : recipients
}
