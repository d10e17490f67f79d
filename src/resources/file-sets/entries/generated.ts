import { createBase, type Base } from './base.ts'
import { createDirectories, type Directories, folderPiece } from './directories.ts'
import {
  chooseDownloadUrl,
  chooseFileType,
  chooseHash,
  chooseIndexState,
  type FileChoices,
  forJsonFields,
  type IntegerField,
  type JsonField,
  type TextField,
  USUAL_CHOICES,
} from './file-record.ts'
import {
  always,
  type Column,
  type Files,
  NOTHING,
  constant,
  type Piece,
  recordReader,
  type Pieces,
  SMALL_SET,
} from './columns.ts'
import { createPlan, type FileKind, type LeafDirectory, type Plan, type Chances } from '../generated/plan.ts'
import type { Steps } from '../../../engine/slices.ts'
import { chanceKey, draw, hex32, indexOf, randomUuid } from '../../../engine/random.ts'

/** All that the files of a generated set follow from. */
export interface Generation {
  readonly seed: number
  readonly files: number
  /** Epoch ms of a midnight; the dates of the files lie before it. */
  readonly firstMoment: number
  /** The usual when absent. */
  readonly choices?: FileChoices | undefined
}

const DAY = 86_400_000
const HOUR = 3_600_000

/**
 * A file set of `count` files spread over the leaves, made from the seed. By file it stores which directory, which words and which
 * day: eight bytes. Every field is computed from these and from (seed, file number) on demand.
 */
export function* createGenerated(
  fileSetId: string,
  { seed, files: count, choices = USUAL_CHOICES }: Generation,
  leaves: readonly LeafDirectory[],
): Steps<Base> {
  const directories = yield* createDirectories(leaves.map(({ path }) => path))
  const chances = chancesOf(seed, fileSetId)
  const plan = yield* createPlan(count, leaves, { directories, seed, chances })
  return createBase(fileSetId, createFiles(plan, directories, { chances, choices, fileSetId }), directories, {
    explicit: new Map(),
    implied: new Map(),
  })
}

interface Making {
  readonly chances: Chances
  readonly choices: FileChoices
  readonly fileSetId: string
}

function createFiles(plan: Plan, directories: Directories, making: Making): Files {
  const { chances } = making
  const { count, directoryOf, before } = plan
  const ms = createClock(plan, chances)
  const columns = createColumns(plan, directories, ms, making)
  const integers = createIntegers(plan, chances)
  return {
    count,
    directoryOf,
    before,
    at: (place) => place,
    ms,
    nanos: () => 0,
    hasNanos: false,
    record: recordReader(
      columns,
      (field) => integers[field],
      (file) => chooseIndexState(making.choices, file),
    ),
    text: (field) => columns[field],
    integer: (field) => integers[field],
    idHead: chances.idHead,
    findId(id) {
      const file = chances.fileOf(Number.parseInt(id.slice(0, 8), 16))
      return file < count && chances.id(file) === id ? file : undefined
    },
  }
}

/** Between 7 and 20 o'clock UTC of a file's day. The times of a small set are kept. */
function createClock({ count, dayOf, firstDay }: Plan, { time }: Chances): (file: number) => number {
  const at = (file: number) => firstDay + (dayOf[file] ?? 0) * DAY + 7 * HOUR + (time(file) % (13 * HOUR))
  if (count > SMALL_SET) return at
  const known = new Array<number | undefined>(count)
  return (file) => (known[file] ??= at(file))
}

function createColumns(
  plan: Plan,
  directories: Directories,
  ms: (file: number) => number,
  making: Making,
): Readonly<Record<TextField, Column>> {
  const { count, directoryOf, wordings, wordingOf } = plan
  const { chances, choices } = making
  const wording: Piece = {
    count: wordings.length,
    isShared: true,
    codes: wordingOf,
    text: (code) => wordings[code]?.text ?? '',
  }
  // The wording determines the kind.
  const kind = (field: 'fileType' | 'contentType'): Column =>
    always([
      {
        ...wording,
        text: (code) => {
          const value = wordings[code]?.stem.kind[field] ?? ''
          return field === 'fileType' ? chooseFileType(choices, value) : value
        },
      },
    ])
  const computed = (text: (file: number) => string): Column => always([{ count, isShared: false, text }])
  // The wording determines the extension.
  const extension = { ...wording, text: (code: number) => wordings[code]?.stem.kind.extension ?? '' }
  const name: Pieces = [wording, createDate(plan), extension]
  return {
    id: computed(chances.id),
    path: always([folderPiece(directories, directoryOf), ...name]),
    name: always(name),
    fileType: kind('fileType'),
    contentType: kind('contentType'),
    created: computed((file) => new Date(ms(file)).toISOString()),
    ...createChosenColumns(count, making),
  }
}

/** The columns that the behaviours of generated files decide. */
function createChosenColumns(count: number, { chances, choices, fileSetId }: Making) {
  const computed = (text: (file: number) => string): Column => always([{ count, isShared: false, text }])
  const isUsualHash = choices.hashAlgorithms.join() === 'SHA_256_HEX'
  const state = (field: JsonField): Column => {
    if (choices.index === 'null') return NOTHING
    const value = (file: number) => chooseIndexState(choices, file)[field]
    return { ...computed((file) => value(file) ?? ''), isNull: (file) => value(file) === null }
  }
  const url = (file: number) => chooseDownloadUrl(choices, fileSetId, chances.id(file))
  return {
    hash: computed(isUsualHash ? chances.hash : (file) => chooseHash(choices, file, chances.hash(file)).hash),
    hashAlgorithm: isUsualHash
      ? always(constant('SHA_256_HEX'))
      : computed((file) => chooseHash(choices, file, '').hashAlgorithm),
    downloadUrl: choices.downloadUrl === 'empty' ? always(constant('')) : computed(url),
    ...forJsonFields(state),
  }
}

/** The date that follows the wording in a name. */
function createDate({ dayOf, firstDay, days }: Plan): Piece {
  const texts: string[] = []
  const text = (day: number) => `${new Date(firstDay + day * DAY).toISOString().slice(0, 10)}.`
  return { count: days, isShared: true, codes: dayOf, text: (day) => (texts[day] ??= text(day)) }
}

type Integers = Readonly<Record<IntegerField, (file: number) => number>>

function createIntegers({ wordings, wordingOf }: Plan, { size, author }: Chances): Integers {
  const wording = (file: number) => wordings[wordingOf[file] ?? 0]
  return {
    size(file) {
      const stem = wording(file)?.stem
      return stem ? sizeOf(stem.kind, size(file)) : 0
    },
    createdBy(file) {
      const team = wording(file)?.topic.team ?? []
      return team[author(file) % team.length] ?? 0
    },
  }
}

/** Sizes spread evenly over the doublings: small files are many, large ones few, in whole numbers so that every machine agrees. */
function sizeOf({ smallest, doublings }: FileKind, chance: number): number {
  const base = smallest * (1 << (chance % doublings))
  return base + (Math.floor(chance / doublings) % base)
}

function chancesOf(seed: number, fileSetId: string): Chances {
  const keyOf = (purpose: string) => chanceKey(seed, `${fileSetId} ${purpose}`)
  const chance = (purpose: string) => {
    const key = keyOf(purpose)
    return (index: number) => draw(key, index)
  }
  const [a, b, c, d] = [chance('id a'), chance('id b'), chance('id c'), chance('id d')]
  const words = Array.from({ length: 8 }, (_, word) => chance(`hash ${word}`))
  const idKey = keyOf('id a')
  return {
    name: chance('name'),
    time: chance('time'),
    size: chance('size'),
    author: chance('author'),
    idHead: a,
    id: (file) => randomUuid(a(file), b(file), c(file), d(file)),
    hash: (file) => words.map((word) => hex32(word(file))).join(''),
    fileOf: (head) => indexOf(idKey, head),
  }
}
