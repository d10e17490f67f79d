import { stringifyJson } from '../../../base/formats/json.ts'
import type { Case } from '../case.ts'
import { calendarCases, email, recipientCases } from './calendar-cases.ts'
import {
  type Bodies,
  create,
  createBodies,
  created,
  creating,
  type Members,
  sending,
  update,
  updating,
  writes,
} from './schedule-requests.ts'
import { JSON_HEADERS } from './search.ts'

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
const LENGTHS = [10, 50, 64, 100, 128, 200, 255, 256, 1024, 1025]

/**
 * Creates and updates of report schedules.
 *
 * @param first a number that no earlier run used: titles and ids count from it
 * @param now epoch ms, to choose dates near it
 */
export function scheduleCases(first: number, now: number): Case[] {
  const bodies = createBodies(first)
  return [
    ...creates(bodies),
    ...responses(bodies),
    ...updates(bodies),
    ...calendarCases(bodies, now),
    ...recipientCases(bodies),
  ]
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
