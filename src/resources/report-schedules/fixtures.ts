import type { BehaviourId } from '../../../types/behaviour-settings.d.ts'
import type { StateRules } from '../../engine/state.ts'
import { shown } from '../../base/errors/problem.ts'
import type { Integer, Members } from '../../base/formats/json.ts'
import {
  type FixtureReader,
  type FixtureSection,
  readList,
  readMembers,
  readOrLeaveOut,
  saidBy,
} from '../fixture-reader.ts'

/** Ids that fixtures list, in digits, for the settings that accept only what is listed; absent where no fixture has such a list. */
export type KnownIds = Partial<Readonly<Record<IdList, ReadonlySet<string>>>>

/** The ids of the fixtures that were read last. */
export interface ListedIds {
  ids: KnownIds
}

const ID_LISTS = ['pages', 'views', 'users', 'groups'] as const
type IdList = (typeof ID_LISTS)[number]

/** Whether a list has an id, however it is written: 7, 7n and `007` are the same. A list that is not there has none. */
export function isKnownId(known: KnownIds, list: IdList, id: number | bigint | string): boolean {
  return known[list]?.has(BigInt(id).toString()) ?? false
}

export interface ReportScheduleFixture {
  readonly id?: number | undefined
  readonly ownerId?: Integer | undefined
  /** The body of a create. */
  readonly info: unknown
  /** Whether the contract is known to allow it. */
  readonly isChecked: boolean
}

/** The section `reportSchedules` of fixture files, and the lists of ids that schedules refer to. */
export function createReportScheduleFixtures(onRead: (known: KnownIds) => void): FixtureSection {
  return {
    members: ['reportSchedules', ...ID_LISTS],
    start(rules) {
      const reportSchedules: ReportScheduleFixture[] = []
      const known: Partial<Record<IdList, Set<string>>> = {}
      return {
        readFile(top, reader) {
          for (const [index, value] of readList(top.reportSchedules, '/reportSchedules', reader).entries()) {
            const pointer = `/reportSchedules/${index}`
            const read = readOrLeaveOut(reader, (strict) => readFixture(value, pointer, strict, rules))
            if (read) reportSchedules.push(read)
          }
          readIdLists(top, known, reader)
        },
        finish() {
          onRead(known)
          return { reportSchedules }
        },
      }
    },
  }
}

/** The lists that behaviours need and no fixture has. */
export function missingIdLists(known: KnownIds): Partial<Record<BehaviourId, string | undefined>> {
  const fixtureWith = (...names: IdList[]) => {
    const missing = names.filter((name) => known[name] === undefined)
    return missing.length === 0
      ? undefined
      : `ids: give ${missing.map((name) => `\`${name}\``).join(' and ')} in a fixture`
  }
  return { 'links.exist': fixtureWith('pages', 'views'), 'recipients.known': fixtureWith('users', 'groups') }
}

/** Adds the ids of one file to those of the files before. */
function readIdLists(top: Members, into: Partial<Record<IdList, Set<string>>>, reader: FixtureReader): void {
  for (const name of ID_LISTS) {
    if (top[name] === undefined) continue
    const ids = (into[name] ??= new Set())
    for (const [index, id] of readList(top[name], `/${name}`, reader).entries()) {
      const isId =
        typeof id === 'bigint' || Number.isSafeInteger(id) || (typeof id === 'string' && /^\d{1,19}$/.test(id))
      if (isId) ids.add(BigInt(id as string | number | bigint).toString())
      else reader.complain(`/${name}/${index}`, `\`${name}\` lists ids, which are integers; ${shown(id)} is not one.`)
    }
  }
}

const FIELDS = ['id', 'ownerId', 'title', 'pageId', 'viewId', 'attachmentInclude', 'schedule']

function readFixture(
  value: unknown,
  pointer: string,
  reader: FixtureReader,
  { reportSchedules: rules }: StateRules,
): ReportScheduleFixture {
  const { id, ownerId, ...given } = readMembers(value, pointer, FIELDS, 'A report schedule', {
    ...reader,
    isAdded: rules.isAdded,
  })
  const info = reader.spare ? rules.completeBody(given) : given
  const number = Number(pointer.split('/').at(-1)) + 1
  const isId = typeof id === 'number' && Number.isSafeInteger(id) && id > 0
  if (id !== undefined && !isId)
    reader.complain(
      `${pointer}/id`,
      `\`id\` must be a positive integer below 2^53; it is ${shown(id)}. Leave it out to have one given.`,
    )
  const isOwner = (typeof ownerId === 'number' && Number.isSafeInteger(ownerId)) || typeof ownerId === 'bigint'
  if (ownerId !== undefined && !isOwner)
    reader.complain(`${pointer}/ownerId`, `\`ownerId\` must be an integer; it is ${shown(ownerId)}.`)
  const { isChecked = false } = reader
  for (const { pointer: at = '', expected, received = 'nothing', source } of isChecked ? [] : rules.check(info)) {
    reader.complain(
      `${pointer}${at}`,
      `Report schedule ${number}: ${at.slice(1) || 'it'} must be ${expected}; it is ${received}.${saidBy(source, reader)}`,
    )
  }
  return { id: isId ? id : undefined, ownerId: isOwner ? ownerId : undefined, info, isChecked }
}
