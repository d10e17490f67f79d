import { createDirectories, type Directories } from './directories.ts'
import { createEntries, type Entries, type Files } from './entries.ts'
import type { FileRecord, Integer, IntegerField, TextField } from './file-record.ts'
import type { Instant } from '../instant.ts'
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

/** What is found in one sort of directory. Names are `stem-subject-date.extension`; stems hold no separator. */
export interface Topic {
  readonly stems: readonly { readonly word: string; readonly kind: Kind }[]
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
  return createEntries(
    fileSetId,
    createFiles(`${seed}/${fileSetId}`, seed, count, plan(leaves, directories, count, seed), directories),
    directories,
    new Map(),
  )
}

/** A leaf with its share of the files: those from `first` on. */
interface Share {
  readonly leaf: Leaf
  readonly directory: number
  readonly first: number
}

/** Gives each leaf a share of the files, uneven as real directories are, in the order of the directories. */
function plan(leaves: readonly Leaf[], directories: Directories, count: number, seed: number): Share[] {
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

function createFiles(
  purpose: string,
  seed: number,
  count: number,
  shares: readonly Share[],
  directories: Directories,
): Files {
  const key = (name: string) => chanceKey(seed, `${purpose} ${name}`)
  const [idA, idB, idC, idD] = [key('id a'), key('id b'), key('id c'), key('id d')]
  const hashKeys = Array.from({ length: 8 }, (_, word) => key(`hash ${word}`))
  const [sizeKey, timeKey, authorKey, nameKey] = [key('size'), key('time'), key('author'), key('name')]
  const directoryOf = new Uint32Array(count)
  const shareOf = new Map(shares.map((share) => [share.directory, share]))
  shares.forEach(({ directory, first }, at) => directoryOf.fill(directory, first, shares[at + 1]?.first ?? count))
  const shareAt = (file: number): Share => {
    const share = shareOf.get(directoryOf[file] ?? 0)
    if (!share) throw new RangeError(`no file ${file}`)
    return share
  }

  /** Which stem, subject and day a file has: a walk over all combinations in strides, so that no two names in a leaf are equal. */
  const combine = (file: number) => {
    const { leaf, directory, first } = shareAt(file)
    const { stems, subjects } = leaf.topic
    const combinations = stems.length * subjects.length * leaf.days
    const at = (draw(nameKey, directory) + (file - first) * strideFor(combinations)) % combinations
    const stem = stems[at % stems.length]
    const subject = subjects[Math.floor(at / stems.length) % subjects.length]
    if (!stem || subject === undefined) throw new RangeError(`no name for file ${file}`)
    return { leaf, stem, subject, day: leaf.firstDay + Math.floor(at / stems.length / subjects.length) * DAY }
  }
  const name = (file: number) => {
    const { leaf, stem, subject, day } = combine(file)
    const { separator } = leaf.topic
    return `${stem.word}${separator}${subject}${separator}${new Date(day).toISOString().slice(0, 10)}.${stem.kind.extension}`
  }
  const kind = (file: number) => combine(file).stem.kind
  const createdMs = (file: number) => combine(file).day + 7 * HOUR + (draw(timeKey, file) % (13 * HOUR))
  const created = (file: number): Instant => ({ ms: createdMs(file), nanos: 0 })
  const id = (file: number) => randomUuid(draw(idA, file), draw(idB, file), draw(idC, file), draw(idD, file))
  const path = (file: number) => {
    const directory = directories.paths[directoryOf[file] ?? 0] ?? ''
    return directory === '' ? name(file) : `${directory}/${name(file)}`
  }
  const hash = (file: number) => hashKeys.map((word) => hex32(draw(word, file))).join('')
  const integers: Record<IntegerField, (file: number) => Integer> = {
    size: (file) => sizeOf(kind(file), draw(sizeKey, file)),
    createdBy: (file) => {
      const { team } = shareAt(file).leaf.topic
      return team[draw(authorKey, file) % team.length] ?? 0
    },
  }
  const texts: Record<TextField, (file: number) => string | null> = {
    id,
    path,
    name,
    fileType: (file) => kind(file).fileType,
    contentType: (file) => kind(file).contentType,
    hash,
    hashAlgorithm: () => 'SHA_256_HEX',
    downloadUrl: () => '',
    created: (file) => new Date(createdMs(file)).toISOString(),
    connectorKey: () => null,
    indexStatus: () => null,
    indexReason: () => null,
  }
  const record = (file: number): FileRecord => ({
    id: id(file),
    path: path(file),
    name: name(file),
    fileType: kind(file).fileType,
    contentType: kind(file).contentType,
    size: integers.size(file),
    hash: hash(file),
    hashAlgorithm: 'SHA_256_HEX',
    downloadUrl: '',
    created: new Date(createdMs(file)).toISOString(),
    createdBy: integers.createdBy(file),
    connectorKey: null,
    indexStatus: null,
    indexReason: null,
  })
  return {
    count,
    directoryOf,
    hasNanos: false,
    created,
    record,
    name,
    text: (field) => texts[field],
    integer: (field) => integers[field],
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
