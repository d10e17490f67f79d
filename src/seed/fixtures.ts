import type { Complaint } from '../behaviours/behaviours.ts'
import type { FileRules } from '../resources/file-sets/entries/file-record.ts'
import { readFileSetFixture } from '../resources/file-sets/read-files.ts'
import type { FileSetFixture } from '../resources/file-sets/entries/file-set.ts'
import { type FixtureReader, readList, readMembers, readOrLeaveOut, saidBy } from '../resources/fixture-reader.ts'
import type { Members } from '../resources/normalize-body.ts'
import {
  type CollectionFixtures,
  createCollections,
  readCollections,
} from '../resources/collections/fixture-collections.ts'
import type { SourceFile } from '../formats/source-file.ts'
import { shown, StartupError, type Violation } from '../errors/problem.ts'
import type { Integer } from '../formats/json.ts'
import type { Documents } from '../resources/collections/collection-store.ts'
import { ID_LISTS, type IdList, type KnownIds } from '../engine/known-ids.ts'
import type { Overrides } from '../engine/state.ts'

/** What fixture files ask for. */
export interface Fixtures {
  readonly fileSets: readonly FileSetFixture[]
  readonly reportSchedules: readonly ReportScheduleFixture[]
  /** Documents for handlers of the user's own. */
  readonly collections: ReadonlyMap<string, Documents>
  readonly knownIds: KnownIds
}

interface ReadFixtures extends Fixtures {
  /** Files that come with the package, and what of each a contract of the user's own leaves no place for. */
  readonly leftOut: ReadonlyMap<string, LeftOut>
}

interface LeftOut {
  readonly count: number
  /** The complaint about the first: where, what was expected, and the line of the contract that says so. */
  readonly first: string
}

interface ReportScheduleFixture {
  readonly id?: number | undefined
  readonly ownerId?: Integer | undefined
  /** The body of a create. */
  readonly info: unknown
}

export interface FixtureRules extends FileRules {
  /** Whether a contract of the user's own names a member beyond those of the interface. */
  isAdded(of: 'file' | 'report-schedule', name: string): boolean
  /** Holds the body of a create against the contract and the behaviour catalogue. */
  checkReportSchedule(info: unknown): readonly Violation[]
  /** What is wrong with settings of behaviours that shall be otherwise. */
  checkOverrides(overrides: Overrides): readonly Complaint[]
}

const MOST_COMPLAINTS = 20

/** Fixtures that a contract of the user's own was not written for: what it refuses of them is left out. */
export interface Spare {
  has(document: SourceFile): boolean
  /** The body of a create with all that the contract requires of it. */
  completeReportSchedule(info: Members): unknown
}

/**
 * Reads fixture files. A file set that several files name is taken from the last of them, and so is a document of a collection.
 *
 * @throws StartupError with file, line and remedy of everything that is wrong
 */
export function readFixtures(documents: readonly SourceFile[], rules: FixtureRules, spare?: Spare): ReadFixtures {
  const complaints: string[] = []
  const fileSets = new Map<string, FileSetFixture>()
  const reportSchedules: ReportScheduleFixture[] = []
  const collections: CollectionFixtures = new Map()
  const knownIds: Partial<Record<IdList, Set<string>>> = {}
  const leftOut = new Map<string, LeftOut>()
  for (const document of documents) {
    const complain = (pointer: string, complaint: string) => {
      if (complaints.length < MOST_COMPLAINTS)
        complaints.push(`${document.file}:${document.lineOf(pointer)}: ${complaint}`)
    }
    const leaveOut = (why: string) => {
      const { count = 0, first = why } = leftOut.get(document.file) ?? {}
      leftOut.set(document.file, { count: count + 1, first })
    }
    const reader: RuledReader = {
      rules,
      complain,
      ...(spare?.has(document) ? { spare: { ...spare, leaveOut } } : {}),
    }
    const top = readMembers(
      document.value,
      '',
      ['fileSets', 'reportSchedules', 'collections', ...ID_LISTS],
      'The file',
      reader,
    )
    const ids = new Set<string>()
    for (const [index, value] of readList(top.fileSets, '/fileSets', reader).entries()) {
      const fileSet = readFileSetFixture(value, `/fileSets/${index}`, reader)
      if (!fileSet) continue
      if (ids.has(fileSet.id))
        complain(`/fileSets/${index}/id`, `The file set ${shown(fileSet.id)} is there twice. Join them, or rename one.`)
      ids.add(fileSet.id)
      fileSets.set(fileSet.id, fileSet)
    }
    for (const [index, value] of readList(top.reportSchedules, '/reportSchedules', reader).entries()) {
      const pointer = `/reportSchedules/${index}`
      const read = readOrLeaveOut(reader, (strict) => readReportSchedule(value, pointer, strict))
      if (read) reportSchedules.push(read)
    }
    readCollections(top.collections, collections, complain)
    readIdLists(top, knownIds, reader)
  }
  if (complaints.length > 0) throw new StartupError(complaints)
  return {
    fileSets: [...fileSets.values()],
    reportSchedules,
    collections: createCollections(collections),
    knownIds,
    leftOut,
  }
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
      else reader.complain(`/${name}/${index}`, `\`${name}\` lists ids, which are integers; ${shown(id)} is none.`)
    }
  }
}

interface RuledReader extends FixtureReader {
  readonly rules: FixtureRules
  readonly spare?: Spare & { leaveOut(why: string): void }
}

function readReportSchedule(value: unknown, pointer: string, reader: RuledReader): ReportScheduleFixture {
  const known = ['id', 'ownerId', 'title', 'pageId', 'viewId', 'attachmentInclude', 'schedule']
  const { id, ownerId, ...given } = readMembers(value, pointer, known, 'A report schedule', {
    ...reader,
    isAdded: (name) => reader.rules.isAdded('report-schedule', name),
  })
  const info = reader.spare ? reader.spare.completeReportSchedule(given) : given
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
  for (const { pointer: at = '', expected, received = 'nothing', source } of reader.rules.checkReportSchedule(info)) {
    reader.complain(
      `${pointer}${at}`,
      `Report schedule ${number}: ${at.slice(1) || 'it'} must be ${expected}; it is ${received}.${saidBy(source, reader)}`,
    )
  }
  return { id: isId ? id : undefined, ownerId: isOwner ? ownerId : undefined, info }
}
