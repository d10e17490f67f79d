import type { Response } from 'supertest'
import { expect } from 'vitest'
import { type Tester, weekly } from './tester.ts'

/** The first id that a test is given: six schedules come with the package. */
export const FIRST = 7

/** Monday 9 March 2026, 08:30 in New York: the next run of `weekly()`. */
export const MONDAY = 1773059400000

/** Answers that show all of what is stored; `attachmentInclude` is in no answer. */
export const seen = {
  behaviours: { 'create.response': 'full', 'update.response': 'full', 'response.recipients': 'yes' },
}

export const JANE = { type: 'EMAIL', value: 'jane@example.com' }

/** A body that holds every part there is. */
export function whole(parts: Readonly<Record<string, unknown>> = {}, schedule: Readonly<Record<string, unknown>> = {}) {
  return weekly({ attachmentInclude: true, ...parts }, { enabled: true, additionalRecipients: [JANE], ...schedule })
}

export const REQUIRED = {
  '/title': { ...weekly(), title: undefined },
  '/pageId': { ...weekly(), pageId: undefined },
  '/viewId': { ...weekly(), viewId: undefined },
  '/schedule': { ...weekly(), schedule: undefined },
  '/schedule/frequency': weekly({}, { frequency: undefined }),
  '/schedule/daysToRun': weekly({}, { daysToRun: undefined }),
  '/schedule/hourOfDay': weekly({}, { hourOfDay: undefined }),
  '/schedule/minOfHour': weekly({}, { minOfHour: undefined }),
}

/** What is stored, as an update with `{}` shows it. */
export async function storedOf({ update }: Tester, id = FIRST): Promise<unknown> {
  const response = await update(id, {})
  expect(response.status, response.text).toBe(200)
  return response.body
}

export function scheduleOf(response: Response): Record<string, unknown> {
  return (response.body as { schedule: Record<string, unknown> }).schedule
}

/** The body of a create whose JSON text has other texts in it: for what `JSON.stringify` cannot write. */
export function withTexts(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts).reduce(
    (body, [name, text]) => body.replace(new RegExp(`"${name}":[^,}]+`), `"${name}":${text}`),
    JSON.stringify(weekly()),
  )
}

export const SETTINGS = {
  frequency: 'WEEKLY',
  daysToRun: 'MON',
  hourOfDay: 8,
  minOfHour: 30,
  enabled: true,
  nextRunDate: MONDAY,
}
export const ZONED = { ...SETTINGS, timezone: 'America/New_York' }
export const FULL = {
  id: FIRST,
  reportViewId: 200,
  pageId: 100,
  title: 'Weekly sales',
  viewName: expect.any(String) as string,
  type: expect.any(String) as string,
  ownerId: 1,
  embedViewId: 200,
  owner: true,
  cardCount: expect.any(Number) as number,
  recipientCount: 1,
  cardId: expect.any(Number) as number,
  schedule: ZONED,
}
