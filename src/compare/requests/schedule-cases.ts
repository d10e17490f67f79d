import { isObject, stringifyJson } from '../../formats/json.ts'
import type { Case, Planned, Seen, Steps } from '../case.ts'
import { JSON_HEADERS } from './search.ts'
import { findTransitions } from './transitions.ts'

/** Where the contract that comes along has report schedules. */
export const SCHEDULES = '/api/content/v1/reportschedules'

type Members = Readonly<Record<string, unknown>>

/** Makes bodies with titles and ids that were not used before. */
interface Bodies {
  (members?: Members, schedule?: Members): Members
}

const REQUIRED = [
  '/title',
  '/pageId',
  '/viewId',
  '/schedule',
  '/schedule/frequency',
  '/schedule/daysToRun',
  '/schedule/hourOfDay',
  '/schedule/minOfHour',
]
const OPTIONAL = ['/schedule/timezone', '/schedule/enabled', '/schedule/additionalRecipients', '/attachmentInclude']
const COUNTS = [1, 5, 10, 20, 50, 100, 1000, 1001]
const LENGTHS = [10, 50, 64, 100, 128, 200, 255, 256, 1024, 1025]

/**
 * Creates and updates of report schedules.
 *
 * @param first a number that no earlier run used: titles and ids count from it
 * @param now epoch ms, to choose dates near it
 */
export function scheduleCases(first: number, now: number): Case[] {
  const bodies = createBodies(first)
  return [...creates(bodies), ...responses(bodies), ...updates(bodies), ...calendar(bodies, now), ...recipients(bodies)]
}

function createBodies(first: number): Bodies {
  let next = first
  return (members = {}, schedule = {}) => {
    const number = next++
    const settings = {
      frequency: 'WEEKLY',
      daysToRun: 'MON',
      hourOfDay: 8,
      minOfHour: 30,
      timezone: 'America/New_York',
      enabled: true,
    }
    return {
      title: `Comparison ${number}`,
      pageId: number,
      viewId: number,
      attachmentInclude: false,
      schedule: { ...settings, additionalRecipients: [], ...schedule },
      ...members,
    }
  }
}

function create(body: unknown, tries?: string): Planned {
  const text = typeof body === 'string' ? body : stringifyJson(body)
  return {
    method: 'POST',
    url: SCHEDULES,
    headers: JSON_HEADERS,
    body: text,
    ...(tries === undefined ? {} : { tries }),
  }
}

function update(id: string, body: unknown, rest: Partial<Planned> = {}): Planned {
  return { method: 'PUT', url: `${SCHEDULES}/${id}`, headers: JSON_HEADERS, body: stringifyJson(body), ...rest }
}

/** A case that writes. */
function writes(about: string, name: string, steps: () => Steps, sizes: readonly number[] = []): Case {
  return { name, about: about.split(' '), writes: true, sizes, steps }
}

function sending(about: string, name: string, requests: readonly Planned[], sizes?: readonly number[]): Case {
  return writes(
    about,
    name,
    function* () {
      yield* requests
    },
    sizes,
  )
}

function creating(about: string, name: string, bodies: readonly unknown[], sizes?: readonly number[]): Case {
  return sending(
    about,
    name,
    bodies.map((body) => create(body)),
    sizes,
  )
}

/** Creates a schedule, and says which id it has. */
function* created(body: unknown): Generator<Planned, string, Seen> {
  const { json } = yield create(body)
  return isObject(json) ? String(json.id) : '0'
}

/** A schedule that is created, and then updated. */
function updating(
  about: string,
  name: string,
  body: unknown,
  changes: readonly unknown[],
  rest: Partial<Planned> = {},
): Case {
  return writes(about, name, function* () {
    const id = yield* created(body)
    for (const change of changes) yield update(id, change, rest)
    yield update(id, {})
  })
}

function without(body: Members, pointer: string): Members {
  const [, first = '', second] = pointer.split('/')
  if (second === undefined) return Object.fromEntries(Object.entries(body).filter(([name]) => name !== first))
  return { ...body, [first]: without(body[first] as Members, `/${second}`) }
}

function creates(made: Bodies): Case[] {
  const number = (member: string, value: unknown) => made({ [member]: value })
  const least = () =>
    without(
      without(without(without(made(), '/schedule/enabled'), '/schedule/additionalRecipients'), '/attachmentInclude'),
      '/schedule/timezone',
    )
  const twice = made()
  const [sameView, sameTitle] = [made(), made()]
  return [
    sending(
      'create.required',
      'creates without one of the members',
      [...REQUIRED, ...OPTIONAL].map((pointer) => create(without(made(), pointer), pointer)),
    ),
    updating('create.defaults zone.omitted', 'a create of what is required alone', least(), []),
    creating('body.null', 'a create with null', [number('title', null), number('attachmentInclude', null)]),
    creating('body.types', 'a create with texts for numbers', [
      made({}, { hourOfDay: '8' }),
      number('pageId', '17'),
      number('attachmentInclude', 'true'),
    ]),
    creating('body.int64', 'a create with a large number', [
      `{"pageId":9007199254740993,${stringifyJson(without(made(), '/pageId')).slice(1)}`,
    ]),
    creating('body.ids', 'a create with ids below 1', [number('pageId', -1), number('viewId', 0)]),
    creating('body.unknown', 'a create with an unknown member', [number('colour', 'red'), made({}, { colour: 'red' })]),
    creating('create.status create.response', 'a create', [made()]),
    creating('create.duplicate', 'the same create twice', [twice, twice]),
    creating('create.duplicate', 'two creates with the same view', [sameView, { ...made(), viewId: sameView.viewId }]),
    creating('create.duplicate', 'two creates with the same title', [sameTitle, { ...made(), title: sameTitle.title }]),
    creating('links.exist', 'a create with unknown ids', [made({ pageId: 999_999_999, viewId: 999_999_998 })]),
    creating('title.text', 'titles with spaces around them', [
      made({ title: `  ${String(made().title)}  ` }),
      made({ title: '   ' }),
    ]),
    creating(
      'title.text',
      'long titles',
      LENGTHS.map((length) => made({ title: String(made().title).padEnd(length, '.').slice(0, Math.max(length, 0)) })),
      LENGTHS,
    ),
  ]
}

function responses(made: Bodies): Case[] {
  return [
    creating('response.recipients', 'a create with a recipient', [
      made({}, { additionalRecipients: [email('a@example.com')] }),
    ]),
    creating('response.nulls', 'a create that leaves members out', [without(made(), '/schedule/timezone')]),
    creating('response.report-view-id', 'the id of the report view', [made()]),
    creating('response.full-type', 'the type of a schedule', [made()]),
  ]
}

function updates(made: Bodies): Case[] {
  const [kept, named, linked] = [made(), made(), made()]
  return [
    updating('update.response', 'an update', made(), [made()]),
    updating('update.omitted', 'an update with a title alone', made(), [{ title: String(made().title) }]),
    updating('update.schedule', 'an update of a part of the schedule', made(), [
      { ...made(), schedule: { hourOfDay: 9 } },
    ]),
    updating('update.empty', 'an update with nothing', made(), [{}]),
    updating('update.links', 'an update of page and view', made(), [
      { ...linked, viewId: Number(linked.viewId) + 1_000_000 },
    ]),
    updating('body.null', 'an update with null', made(), [{ ...made(), attachmentInclude: null }, { title: null }]),
    updating('schedule.owner', 'an update with another key', made(), [made()], { key: 'other' }),
    writes('update.body-id', 'an id in the body', function* () {
      const id = yield* created(kept)
      const body = stringifyJson(named).slice(1)
      yield { ...update(id, {}), body: `{"id":${id},${body}` }
      yield { ...update(id, {}), body: `{"id":${id}99,${body}` }
    }),
    sending('update.unknown-id', 'an update of nothing', [update('999999999', made())]),
    sending(
      'update.id-form',
      'an update with an id that is no number',
      ['abc', '1.5', '007', '0', '-1'].map((id) => update(id, made())),
    ),
    updating('update.concurrent', 'an update with an outdated ETag', made(), [made()], {
      headers: [...JSON_HEADERS, { name: 'If-Match', value: '"outdated"' }],
    }),
  ]
}

function calendar(made: Bodies, now: number): Case[] {
  const schedule = (members: Members) => made({}, members)
  const monthly = (daysToRun: string) => schedule({ frequency: 'MONTHLY', daysToRun })
  const zone = (timezone: string) => schedule({ timezone })
  return [
    sending('frequency.values', 'frequencies', [
      create(schedule({}), 'WEEKLY'),
      create(monthly('15'), 'MONTHLY'),
      create(schedule({ frequency: 'DAILY', daysToRun: 'MON' }), 'DAILY'),
    ]),
    creating('days.weekly', 'several days of the week', [
      schedule({ daysToRun: 'MON,WED' }),
      schedule({ daysToRun: 'Mon' }),
    ]),
    creating('days.monthly', 'days of the month', ['28', '31', '1,15', '07'].map(monthly)),
    creating('days.mismatch', 'days of another frequency', [schedule({ daysToRun: '15' }), monthly('MON')]),
    creating('days.short-month', 'the last days of a month', ['29', '30', '31'].map(monthly)),
    creating('time.range', 'hours that no day has', [schedule({ hourOfDay: 24 }), schedule({ minOfHour: 60 })]),
    ...findTransitions(now).map(({ about, timezone, ...rest }) =>
      creating(about, `a clock change in ${timezone}`, [schedule({ timezone, ...rest })]),
    ),
    updating('next-run.disabled', 'a schedule that is not enabled', schedule({ enabled: false }), []),
    creating('next-run.lag', 'the next run of a create', [made()]),
    updating('next-run.passes', 'the next run of an update', made(), [made()]),
    creating('schedule.dates', 'a start and an end', [
      schedule({ startDate: now + 31_536_000_000, expirationDate: now + 63_072_000_000 }),
      schedule({ startDate: 'tomorrow' }),
    ]),
    creating('zone.invalid', 'a time zone that does not exist', [zone('Mars/Olympus')]),
    updating('zone.alias', 'an older name of a time zone', made(), [zone('US/Eastern'), zone('Asia/Calcutta')]),
    updating('zone.short', 'short names of time zones', made(), ['UTC', 'EST', 'utc', '+02:00'].map(zone)),
  ]
}

const email = (value: unknown) => ({ type: 'EMAIL', value })

function recipients(made: Bodies): Case[] {
  const to = (...additionalRecipients: readonly unknown[]) => made({}, { additionalRecipients })
  return [
    sending('recipient.types', 'types of recipients', [
      create(to(email('a@example.com')), 'EMAIL'),
      create(to({ type: 'USER', value: '17' }), 'USER'),
      create(to({ type: 'GROUP', value: '17' }), 'GROUP'),
      create(to({ type: 'ROBOT', value: '17' })),
    ]),
    creating('recipient.email', 'addresses', [to(email('nobody')), to(email('a b@example.com'))]),
    creating('recipient.id', 'a user by number', [to({ type: 'USER', value: 17 })]),
    creating('recipients.known', 'an unknown user', [to({ type: 'USER', value: '999999999' })]),
    updating('recipient.duplicates', 'a recipient twice', to(email('a@example.com'), email('a@example.com')), []),
    creating(
      'recipient.max',
      'many recipients',
      COUNTS.map((count) => to(...Array.from({ length: count }, (_, at) => email(`${at}@example.com`)))),
      COUNTS,
    ),
  ]
}
