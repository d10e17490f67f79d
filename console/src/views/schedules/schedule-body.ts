import type { ReportScheduleRecord } from '../../../../src/control/client/types.ts'

/** What a new schedule begins with where the contract has no example. */
const USUAL = {
  title: 'Weekly revenue',
  pageId: 1_204_518_837,
  viewId: 84_210,
  schedule: {
    frequency: 'WEEKLY',
    daysToRun: 'MON',
    hourOfDay: 8,
    minOfHour: 30,
    timezone: 'America/New_York',
    enabled: true,
    additionalRecipients: [{ type: 'EMAIL', value: 'finance@example.com' }],
  },
  attachmentInclude: true,
}

/** What a new schedule begins with: the first example that the contract has for the body of the operation. */
export function exampleIn(contract: object, operationId: string): object {
  const paths = Object.values(members(members(contract).paths))
  const operation = paths
    .flatMap((path) => Object.values(members(path)))
    .find((one) => members(one).operationId === operationId)
  const follow = (value: unknown) => resolved(contract, value)
  const content = members(follow(members(operation).requestBody).content)
  const media = members(content['application/json'] ?? Object.values(content)[0])
  const [first] = Object.values(members(media.examples))
  const schema = follow(media.schema)
  const [inSchema] = Array.isArray(schema.examples) ? (schema.examples as unknown[]) : []
  const found = [media.example, follow(first).value, schema.example, inSchema].find((one) => isObject(one))
  return isObject(found) ? found : USUAL
}

type Members = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null
}

function members(value: unknown): Members {
  return isObject(value) ? value : {}
}

/** Follows a reference into the same document. */
function resolved(document: object, value: unknown): Members {
  const { $ref } = members(value)
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return members(value)
  const parts = $ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return members(parts.reduce<unknown>((at, part) => members(at)[part], document))
}

/** The body of an update that changes nothing. */
export function scheduleBody(stored: ReportScheduleRecord): object {
  const { title, pageId, viewId, attachmentInclude, schedule, added } = stored
  const { added: addedSettings, ...settings } = schedule ?? {}
  const members = {
    title: title === '' ? null : title,
    pageId,
    viewId,
    schedule: schedule && { ...settings, ...addedSettings },
    attachmentInclude,
    ...added,
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}

/** A body as JSON to read and edit. Integers beyond 2^53 keep their digits. */
export function toText(body: object): string {
  const text = JSON.stringify(body, (_, value: unknown) => (typeof value === 'bigint' ? `\u0000${value}` : value), 2)
  return text.replaceAll(/"\\u0000(-?\d+)"/g, '$1')
}
