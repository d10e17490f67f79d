import { isObject, stringifyJson } from '../../../base/formats/json.ts'
import type { Case, Planned, Seen, Steps } from '../case.ts'
import { JSON_HEADERS } from './search.ts'

/** Where the built-in contract has report schedules. */
export const SCHEDULES = '/api/content/v1/reportschedules'

export type Members = Readonly<Record<string, unknown>>

/** Makes bodies with titles and ids that were not used before. */
export type Bodies = (members?: Members, schedule?: Members) => Members

export function createBodies(first: number): Bodies {
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

export function create(body: unknown, tries?: string): Planned {
  const text = typeof body === 'string' ? body : stringifyJson(body)
  return {
    method: 'POST',
    url: SCHEDULES,
    headers: JSON_HEADERS,
    body: text,
    ...(tries === undefined ? {} : { tries }),
  }
}

export function update(id: string, body: unknown, rest: Partial<Planned> = {}): Planned {
  return { method: 'PUT', url: `${SCHEDULES}/${id}`, headers: JSON_HEADERS, body: stringifyJson(body), ...rest }
}

/** A case that writes. */
export function writes(about: string, name: string, steps: () => Steps, sizes: readonly number[] = []): Case {
  return { name, about: about.split(' '), writes: true, sizes, steps }
}

export function sending(about: string, name: string, requests: readonly Planned[], sizes?: readonly number[]): Case {
  return writes(
    about,
    name,
    function* () {
      yield* requests
    },
    sizes,
  )
}

export function creating(about: string, name: string, bodies: readonly unknown[], sizes?: readonly number[]): Case {
  return sending(
    about,
    name,
    bodies.map((body) => create(body)),
    sizes,
  )
}

/** Creates a schedule, and says which id it has. */
export function* created(body: unknown): Generator<Planned, string, Seen> {
  const { json } = yield create(body)
  return isObject(json) ? String(json.id) : '0'
}

/** A schedule that is created, and then updated. */
export function updating(
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
