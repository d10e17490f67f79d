import { createDirectories, type Directories } from './directories.ts'
import { createEntries, type Entries, type Files } from './entries.ts'
import type { FileRecord, IntegerField, TextField } from './file-record.ts'
import { chanceKey, draw, hex32 } from '../random.ts'
import { randomUuid } from '../uuid.ts'

/** One kind of document: what its names end in, what it is, and how large such files are. */
export interface Kind {
  readonly extension: string
  readonly fileType: string
  readonly contentType: string
  /** Smallest size in bytes, and by how many doublings the sizes spread. */
  readonly smallest: number
  readonly doublings: number
}

/** The first word of a name, and what such files are. */
interface Stem {
  readonly word: string
  readonly kind: Kind
}

/** What is found in one sort of directory. Names are `stem-subject-date.extension`; stems hold no separator. */
export interface Topic {
  readonly stems: readonly Stem[]
  readonly subjects: readonly string[]
  readonly separator: string
  /** User ids of those who work there. */
  readonly team: readonly number[]
}

/** One directory that holds generated files: its path, what it is about, and the days its files were made on. */
export interface Leaf {
  readonly path: string
  readonly topic: Topic
  /** UTC midnight, epoch ms, of the first of the days. */
  readonly firstDay: number
  readonly days: number
}

const DAY = 86_400_000
const HOUR = 3_600_000

/**
 * A file set of `count` files spread over the leaves, made from the seed. Nothing is stored by file but its directory: every
 * field is worked out from (seed, file number) when it is asked for, so ten million files cost what their numbers cost.
 */
export function createGenerated(fileSetId: string, seed: number, count: number, leaves: readonly Leaf[]): Entries {
  const directories = createDirectories(leaves.map(({ path }) => path))
  const shares = shareOut(count, leaves, directories, seed)
  const files = createFiles(count, shares, directories, chancesOf(seed, fileSetId))
  return createEntries(fileSetId, files, directories, new Map())
}

/** A leaf with its share of the files: those from `first` on. */
interface Share {
  readonly leaf: Leaf
  readonly directory: number
  readonly first: number
}

/** Gives each leaf a share of the files, uneven as real directories are, in the order of the directories. */
function shareOut(count: number, leaves: readonly Leaf[], directories: Directories, seed: number): Share[] {
  const key = chanceKey(seed, 'leaf weight')
  const ordered = leaves
    .map((leaf) => ({ leaf, directory: directories.find(leaf.path) ?? 0 }))
    .sort((a, b) => a.directory - b.directory)
  const weights = ordered.map((_, at) => 4 + (draw(key, at) % 13))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let before = 0
  return ordered.map((share, at) => {
    const first = Math.floor((before * count) / total)
    before += weights[at] ?? 0
    return { ...share, first }
  })
}

/** By purpose: the draw of a file, an integer below 2^32. */
type Chances = Readonly<Record<'name' | 'time' | 'size' | 'author', (index: number) => number>> & {
  readonly id: (file: number) => string
  readonly hash: (file: number) => string
}

function chancesOf(seed: number, fileSetId: string): Chances {
  const chance = (purpose: string) => {
    const key = chanceKey(seed, `${fileSetId} ${purpose}`)
    return (index: number) => draw(key, index)
  }
  const [a, b, c, d] = [chance('id a'), chance('id b'), chance('id c'), chance('id d')]
  const words = Array.from({ length: 8 }, (_, word) => chance(`hash ${word}`))
  return {
    name: chance('name'),
    time: chance('time'),
    size: chance('size'),
    author: chance('author'),
    id: (file) => randomUuid(a(file), b(file), c(file), d(file)),
    hash: (file) => words.map((word) => hex32(word(file))).join(''),
  }
}

/** What a file's name is put together from; its kind and day follow from the same choice, so that all fit together. */
interface Composition {
  readonly topic: Topic
  readonly stem: Stem
  readonly subject: string
  /** UTC midnight, epoch ms. */
  readonly day: number
}

function createFiles(count: number, shares: readonly Share[], directories: Directories, chances: Chances): Files {
  const directoryOf = new Uint32Array(count)
  shares.forEach(({ directory, first }, at) => directoryOf.fill(directory, first, shares[at + 1]?.first ?? count))
  const compose = createComposer(shares, directoryOf, chances)
  const created = (file: number) => compose(file).day + 7 * HOUR + (chances.time(file) % (13 * HOUR))
  const columns = createColumns(compose, created, chances)
  const path = (file: number) => {
    const directory = directories.paths[directoryOf[file] ?? 0] ?? ''
    return directory === '' ? columns.name(file) : `${directory}/${columns.name(file)}`
  }
  return {
    count,
    directoryOf,
    hasNanos: false,
    created: (file) => ({ ms: created(file), nanos: 0 }),
    record: (file) => createRecord(file, path, columns),
    name: columns.name,
    text: (field) => (field === 'path' ? path : columns[field]),
    integer: (field) => columns[field],
  }
}

/** Every field but the path, by file number. */
type Columns = Readonly<
  Record<Exclude<TextField, 'path' | NullField>, (file: number) => string> &
    Record<NullField, (file: number) => null> &
    Record<IntegerField, (file: number) => number>
>

/** What no generated file has. */
type NullField = 'connectorKey' | 'indexStatus' | 'indexReason'

function createColumns(
  compose: (file: number) => Composition,
  created: (file: number) => number,
  chances: Chances,
): Columns {
  const none = () => null
  return {
    id: chances.id,
    name(file) {
      const { topic, stem, subject, day } = compose(file)
      const date = new Date(day).toISOString().slice(0, 10)
      return `${stem.word}${topic.separator}${subject}${topic.separator}${date}.${stem.kind.extension}`
    },
    fileType: (file) => compose(file).stem.kind.fileType,
    contentType: (file) => compose(file).stem.kind.contentType,
    size: (file) => sizeOf(compose(file).stem.kind, chances.size(file)),
    hash: chances.hash,
    hashAlgorithm: () => 'SHA_256_HEX',
    downloadUrl: () => '',
    created: (file) => new Date(created(file)).toISOString(),
    createdBy(file) {
      const { team } = compose(file).topic
      return team[chances.author(file) % team.length] ?? 0
    },
    connectorKey: none,
    indexStatus: none,
    indexReason: none,
  }
}

function createRecord(file: number, path: (file: number) => string, columns: Columns): FileRecord {
  return {
    id: columns.id(file),
    path: path(file),
    name: columns.name(file),
    fileType: columns.fileType(file),
    contentType: columns.contentType(file),
    size: columns.size(file),
    hash: columns.hash(file),
    hashAlgorithm: columns.hashAlgorithm(file),
    downloadUrl: columns.downloadUrl(file),
    created: columns.created(file),
    createdBy: columns.createdBy(file),
    connectorKey: null,
    indexStatus: null,
    indexReason: null,
  }
}

/**
 * Which stem, subject and day each file has: in every leaf a walk in strides over all combinations, so that no two of its files
 * have the same name.
 */
function createComposer(
  shares: readonly Share[],
  directoryOf: Uint32Array,
  { name }: Chances,
): (file: number) => Composition {
  const shareOf = new Map(shares.map((share) => [share.directory, share]))
  return (file) => {
    const share = shareOf.get(directoryOf[file] ?? 0)
    if (!share) throw new RangeError(`no file ${file}`)
    const { leaf, directory, first } = share
    const { stems, subjects } = leaf.topic
    const combinations = stems.length * subjects.length * leaf.days
    const at = (name(directory) + (file - first) * strideFor(combinations)) % combinations
    const stem = stems[at % stems.length]
    const subject = subjects[Math.floor(at / stems.length) % subjects.length]
    if (!stem || subject === undefined) throw new RangeError(`no name for file ${file}`)
    return {
      topic: leaf.topic,
      stem,
      subject,
      day: leaf.firstDay + Math.floor(at / stems.length / subjects.length) * DAY,
    }
  }
}

/** A prime that shares no factor with the number of combinations, so that strides of it meet every combination once. */
function strideFor(combinations: number): number {
  return combinations % 7919 === 0 ? 104_729 : 7919
}

/** Sizes spread evenly over the doublings: small files are many, large ones few, in whole numbers so that every machine agrees. */
function sizeOf({ smallest, doublings }: Kind, chance: number): number {
  const base = smallest * (1 << (chance % doublings))
  return base + (Math.floor(chance / doublings) % base)
}
