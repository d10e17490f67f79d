import { isDeepStrictEqual } from 'node:util'
import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import type { State, StateRules } from '../../engine/state.ts'
import { shown, type Violation, violation } from '../../base/errors/problem.ts'
import { parseInstant } from '../../base/formats/instant.ts'
import { isObject, withNumbers } from '../../base/formats/json.ts'
import { type FixtureSection, readList } from '../fixture-reader.ts'
import type { RuleParts } from '../resource.ts'
import { type FileReader, readFileSetFixture } from './read-files.ts'
import { type EntryRecord, type FileChoices, type FileRules, USUAL_CHOICES } from './entries/file-record.ts'
import type { FileSetFixture } from './entries/file-set.ts'

/** The section `fileSets` of fixture files. A file set that several files name is taken from the last of them. */
export const fileSetFixtures: FixtureSection = {
  members: ['fileSets'],
  start({ files: rules }) {
    const fileSets = new Map<string, FileSetFixture>()
    return {
      readFile(top, reader) {
        const ids = new Set<string>()
        for (const [index, value] of readList(top.fileSets, '/fileSets', reader).entries()) {
          const pointer = `/fileSets/${index}`
          const fileSet = readShared(value, pointer, { ...reader, rules })
          if (!fileSet) continue
          const { id } = fileSet
          if (ids.has(id))
            reader.complain(`${pointer}/id`, `The file set ${shown(id)} is there twice. Join them, or rename one.`)
          ids.add(id)
          fileSets.set(id, fileSet)
        }
      },
      finish: () => ({ fileSets: [...fileSets.values()] }),
    }
  },
}

/** The latest reading of each file set of files that do not change: most servers of a process read them by the same rules. */
const shared = new WeakMap<object, { readonly rules: FileRules; readonly fileSet: FileSetFixture }>()

function readShared(value: unknown, pointer: string, reader: FileReader): FileSetFixture | undefined {
  const { rules, complain, isConstant } = reader
  if (!isConstant || !isObject(value)) return readFileSetFixture(value, pointer, reader)
  const known = shared.get(value)
  if (known?.rules === rules) return known.fileSet
  let complaints = 0
  const fileSet = readFileSetFixture(value, pointer, {
    ...reader,
    complain(at, complaint) {
      complaints++
      complain(at, complaint)
    },
  })
  if (fileSet && complaints === 0) shared.set(value, { rules, fileSet })
  return fileSet
}

/** The latest rules without choices for a contract of the package. */
const usualRules = new WeakMap<RuleParts['contract'], FileRules>()

export function createFileRules(parts: RuleParts): FileRules {
  const { contract, behaviours, firstMoment, isPackaged, locale } = parts
  const choices = choicesOf(behaviours.settings, locale)
  const known = isPackaged && choices === undefined ? usualRules.get(contract) : undefined
  if (known?.firstMoment === firstMoment) return known
  const rules = createRules(parts, choices)
  if (isPackaged && choices === undefined) usualRules.set(contract, rules)
  return rules
}

function createRules(parts: RuleParts, choices: FileChoices | undefined): FileRules {
  const { contract, firstMoment, isPackaged } = parts
  const entries = parts.adapter('searchFiles')?.adaptation.entries
  return {
    firstMoment,
    choices,
    isAdded: (name) => entries?.fields.has(name) === true,
    checkRecord: isPackaged
      ? (record) =>
          contract.check(record.fileType === 'DIRECTORY' ? 'DirectoryEntry' : 'FileRecord', withNumbers(record))
      : (record) => (entries ? entries.check(withNumbers(record) as object) : checkWithoutContract(record)),
  }
}

/** What the search itself needs of an entry, where the contract has no operation that says more. */
function checkWithoutContract(record: EntryRecord): Violation[] {
  const { size, created, createdBy } = record
  const refuse = (name: string, expected: string, value: unknown) =>
    violation({ pointer: `/${name}` }, 'type', expected, value)
  return [
    ...(record.fileType === 'DIRECTORY' || (isInteger(size) && Number(size) >= 0)
      ? []
      : [refuse('size', 'an integer, 0 or more', size)]),
    ...(typeof created === 'string' && parseInstant(created) ? [] : [refuse('created', 'a date-time', created)]),
    ...(isInteger(createdBy) ? [] : [refuse('createdBy', 'an integer', createdBy)]),
  ]
}

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value)
}

/** Undefined for the usual ones. */
function choicesOf(settings: BehaviourSettings, locale: string): FileChoices | undefined {
  const choices = {
    ...settings['file.types'],
    index: settings['file.index'],
    downloadUrl: settings['file.download-url'],
    ...(locale === 'en' ? {} : { locale }),
  }
  return isDeepStrictEqual(choices, USUAL_CHOICES) ? undefined : choices
}

/** At most this many files of a generated set are checked. */
const SAMPLE = 50

/** Generated files that the user's contract does not allow. They are served all the same. */
export function* noteInvalidFiles({ fileSets }: State, { files }: StateRules, contractFile: string): Generator<string> {
  for (const { id, entries } of [...fileSets.values()].filter(({ generated }) => generated)) {
    const step = Math.ceil(entries.base.files.count / SAMPLE)
    for (let slot = 0; slot < entries.base.files.count; slot += step) {
      const record = entries.record(slot)
      const [first] = files.checkRecord(record)
      if (!first) continue
      const { pointer = '', expected, received = 'nothing' } = first
      yield `${id}: ${record.path} does not fit ${contractFile}: ${pointer}: expected ${expected}, got ${received}. Give file sets of your own with --fixtures.`
      break
    }
  }
}
