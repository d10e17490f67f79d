import fc from 'fast-check'
import type { Info, Parts, Rules, Shown } from './naive-report-schedules.ts'
import { ZONES } from './naive-report-schedules.ts'
import { anyText } from '../../support/random/any-text.ts'
import { parseJson } from '../../../src/base/formats/json.ts'

/** Bodies of creates and updates, complete, partial and wrong, and what a response shows. */

const anyId = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }))
const anyTitle = anyText({ minLength: 1, maxLength: 20 }).filter((title) => title.trim() !== '')
const anyRecipient = fc.oneof(
  fc.record({ type: fc.constant('EMAIL'), value: fc.constantFrom('a@example.com', 'b@example.com') }),
  fc.record({ type: fc.constantFrom('USER', 'GROUP'), value: fc.constantFrom('1', '2') }),
)
const anyDays = fc.oneof(
  fc.record({
    frequency: fc.constant('WEEKLY'),
    daysToRun: fc.constantFrom('SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'),
  }),
  fc.record({ frequency: fc.constant('MONTHLY'), daysToRun: fc.integer({ min: 1, max: 31 }).map(String) }),
)
const anyRest = fc.record(
  {
    hourOfDay: fc.integer({ min: 0, max: 23 }),
    minOfHour: fc.integer({ min: 0, max: 59 }),
    timezone: fc.constantFrom(...Object.keys(ZONES)),
    enabled: fc.boolean(),
    additionalRecipients: fc.array(anyRecipient, { maxLength: 4 }),
  },
  { requiredKeys: ['hourOfDay', 'minOfHour'] },
)
const anySchedule: fc.Arbitrary<Parts> = fc.tuple(anyDays, anyRest).map(([days, rest]) => ({ ...days, ...rest }))
export const anyWhole = fc.record(
  { title: anyTitle, pageId: anyId, viewId: anyId, schedule: anySchedule, attachmentInclude: fc.boolean() },
  { requiredKeys: ['title', 'pageId', 'viewId', 'schedule'] },
)

/** Some of the members of an object. */
function someOf<T extends object>(whole: fc.Arbitrary<T>): fc.Arbitrary<Partial<T>> {
  return fc.tuple(whole, fc.array(fc.nat(9), { maxLength: 4 })).map(([members, places]) => {
    const entries = Object.entries(members)
    return Object.fromEntries(entries.filter((_, index) => !places.includes(index))) as Partial<T>
  })
}

export const anyPart: fc.Arbitrary<Info> = fc
  .tuple(someOf(anyWhole), fc.option(someOf(anySchedule), { freq: 2 }))
  .map(([info, schedule]) => (schedule && info.schedule ? { ...info, schedule } : info))

/** What no body may hold, whatever else it holds. */
export const anyFault = fc.constantFrom<object>(
  { title: ' ' },
  { title: 5 },
  { pageId: 0 },
  { pageId: 2n ** 63n },
  { viewId: -1 },
  { viewId: 8.5 },
  { attachmentInclude: 'yes' },
  { schedule: [] },
  ...[
    { frequency: 'DAILY' },
    { daysToRun: 'XXX' },
    { daysToRun: '0' },
    { hourOfDay: 24 },
    { minOfHour: -1 },
    { timezone: 'Mars/Olympus' },
    { enabled: 1 },
  ].map((part) => ({ schedule: { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 8, minOfHour: 30, ...part } })),
  { schedule: { frequency: 'MONTHLY', daysToRun: 'MON', hourOfDay: 8, minOfHour: 30 } },
  {
    schedule: {
      frequency: 'WEEKLY',
      daysToRun: 'MON',
      hourOfDay: 8,
      minOfHour: 30,
      additionalRecipients: [{ type: 'FAX', value: '1' }],
    },
  },
)

export const anyRules: fc.Arbitrary<Rules> = fc.record({
  omitted: fc.constantFrom('keep', 'keep', 'clear'),
  schedule: fc.constantFrom('replace', 'deep-merge'),
  links: fc.constantFrom('allow', 'allow', 'ignore'),
  passes: fc.constantFrom('on-read', 'frozen-at-write'),
})

/** As the behaviours are set; responses show all that is stored. */
export function behavioursOf({ omitted, schedule, links, passes }: Rules): Record<string, string> {
  return {
    ...{ 'update.omitted': omitted, 'update.schedule': schedule, 'update.links': links, 'next-run.passes': passes },
    ...{ 'create.response': 'full', 'update.response': 'full', 'response.recipients': 'yes' },
  }
}

/** What an answer shows, without the members that stand for nothing in a request; undefined for a refusal. */
export function shownBy({ status, text }: { readonly status: number; readonly text: string }): Shown {
  if (status !== 200) return undefined
  const {
    viewName: _name,
    type: _type,
    cardCount: _count,
    cardId: _card,
    ...shown
  } = parseJson(text) as Record<string, unknown>
  return shown
}
