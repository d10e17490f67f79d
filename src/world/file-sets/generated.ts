import { createBase, type Base } from './base.ts'
import { createDirectories, type Directories } from './directories.ts'
import type { FileRecord, IntegerField, TextField } from './file-record.ts'
import { always, type Column, type Files, NOTHING } from './files.ts'
import { constant, type Piece, reader, type Rope } from './rope.ts'
import { chanceKey, draw, hex32, indexOf } from '../random.ts'
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
 * A file set of `count` files spread over the leaves, made from the seed. By file it stores which directory, which words and which
 * day: eight bytes. Every field is worked out from these and from (seed, file number) when it is asked for.
 */
export function createGenerated(fileSetId: string, seed: number, count: number, leaves: readonly Leaf[]): Base {
  const directories = createDirectories(leaves.map(({ path }) => path))
  const chances = chancesOf(seed, fileSetId)
  const plan = createPlan(count, shareOut(count, leaves, directories, seed), directories, chances)
  return createBase(fileSetId, createFiles(plan, directories, chances), directories, new Map())
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
type Chances = Readonly<
  Record<'name' | 'time' | 'size' | 'author' | 'idHead' | 'hashHead', (index: number) => number>
> & {
  readonly id: (file: number) => string
  readonly hash: (file: number) => string
  /** The file whose id begins with this word. */
  readonly fileOf: (idHead: number) => number
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
    hashHead: chance('hash 0'),
    id: (file) => randomUuid(a(file), b(file), c(file), d(file)),
    hash: (file) => words.map((word) => hex32(word(file))).join(''),
    fileOf: (head) => indexOf(idKey, head),
  }
}

/** One stem with one subject of one topic: what the first part of a name is put together from. */
interface Wording {
  readonly topic: Topic
  readonly stem: Stem
  /** The name as far as its date. */
  readonly text: string
  readonly kind: number
}

/** What is stored of each file, and the tables that it refers to. */
interface Plan {
  readonly count: number
  readonly directoryOf: Uint32Array
  readonly before: Uint32Array
  readonly wordings: readonly Wording[]
  readonly kinds: readonly Kind[]
  /** By file: an index of `wordings`. */
  readonly wordingOf: Uint16Array
  /** By file: the kind of its wording, and the days since `firstDay` times the number of kinds. */
  readonly endingOf: Uint16Array
  /** UTC midnight, epoch ms. */
  readonly firstDay: number
  readonly days: number
}

function createPlan(count: number, shares: readonly Share[], directories: Directories, { name }: Chances): Plan {
  const { wordings, kinds, firstWording } = listWordings(shares)
  const firstDay = shares.reduce((first, { leaf }) => Math.min(first, leaf.firstDay), Infinity)
  const lastDay = shares.reduce((last, { leaf }) => Math.max(last, leaf.firstDay + leaf.days * DAY), 0)
  const directoryOf = new Uint32Array(count)
  const before = new Uint32Array(directories.count + 1).fill(count)
  const wordingOf = new Uint16Array(count)
  const endingOf = new Uint16Array(count)
  const kindOf = Uint8Array.from(wordings, ({ kind }) => kind)
  let filled = 0
  shares.forEach(({ leaf, directory, first }, at) => {
    const end = shares[at + 1]?.first ?? count
    const wording = firstWording.get(leaf.topic) ?? 0
    const day = (leaf.firstDay - firstDay) / DAY
    directoryOf.fill(directory, first, end)
    before.fill(first, filled, directory + 1)
    filled = directory + 1
    // In every leaf a walk in strides over all combinations, so that no two of its files have the same name.
    const words = leaf.topic.stems.length * leaf.topic.subjects.length
    const combinations = words * leaf.days
    const stride = strideFor(combinations) % combinations
    let combination = name(directory) % combinations
    for (let file = first; file < end; file++) {
      const days = Math.floor(combination / words)
      const own = wording + combination - days * words
      wordingOf[file] = own
      endingOf[file] = (day + days) * kinds.length + (kindOf[own] ?? 0)
      combination += stride
      if (combination >= combinations) combination -= combinations
    }
  })
  const days = Math.max(0, (lastDay - firstDay) / DAY)
  return { count, directoryOf, before, wordings, kinds, wordingOf, endingOf, firstDay, days }
}

/** All wordings of all topics, those of one topic together: the stems by turns, then the next subject. */
function listWordings(shares: readonly Share[]) {
  const wordings: Wording[] = []
  const kinds: Kind[] = []
  const firstWording = new Map<Topic, number>()
  for (const { topic } of shares.map(({ leaf }) => leaf)) {
    if (firstWording.has(topic)) continue
    firstWording.set(topic, wordings.length)
    for (const subject of topic.subjects) {
      for (const stem of topic.stems) {
        if (!kinds.includes(stem.kind)) kinds.push(stem.kind)
        const text = `${stem.word}${topic.separator}${subject}${topic.separator}`
        wordings.push({ topic, stem, text, kind: kinds.indexOf(stem.kind) })
      }
    }
  }
  return { wordings, kinds, firstWording }
}

/** A prime that shares no factor with the number of combinations, so that strides of it meet every combination once. */
function strideFor(combinations: number): number {
  return combinations % 7919 === 0 ? 104_729 : 7919
}

function createFiles(plan: Plan, directories: Directories, chances: Chances): Files {
  const { count, directoryOf, before } = plan
  const ms = createClock(plan, chances)
  const columns = createColumns(plan, directories, ms, chances)
  const integers = createIntegers(plan, chances)
  return {
    count,
    directoryOf,
    before,
    at: (place) => place,
    ms,
    nanos: () => 0,
    hasNanos: false,
    record: createRecords(columns, integers),
    text: (field) => columns[field],
    integer: (field) => integers[field],
    head: (field) => (field === 'id' ? chances.idHead : field === 'hash' ? chances.hashHead : undefined),
    findId(id) {
      const file = chances.fileOf(Number.parseInt(id.slice(0, 8), 16))
      return file < count && chances.id(file) === id ? file : undefined
    },
  }
}

/** Between 7 and 20 o'clock UTC of a file's day. */
function createClock({ endingOf, kinds, firstDay }: Plan, { time }: Chances): (file: number) => number {
  const dayOf = (file: number) => Math.floor((endingOf[file] ?? 0) / kinds.length)
  return (file) => firstDay + dayOf(file) * DAY + 7 * HOUR + (time(file) % (13 * HOUR))
}

function createColumns(
  plan: Plan,
  directories: Directories,
  ms: (file: number) => number,
  chances: Chances,
): Readonly<Record<TextField, Column>> {
  const { count, directoryOf, wordings, wordingOf } = plan
  const wording: Piece = {
    count: wordings.length,
    isShared: true,
    codes: wordingOf,
    text: (code) => wordings[code]?.text ?? '',
  }
  const folder: Piece = {
    count: directories.count,
    isShared: true,
    codes: directoryOf,
    text: (directory) => (directory === 0 ? '' : `${directories.paths[directory] ?? ''}/`),
  }
  // Few kinds, so their texts are told by the wording.
  const kind = (field: 'fileType' | 'contentType'): Column =>
    always([{ ...wording, text: (code) => wordings[code]?.stem.kind[field] ?? '' }])
  const computed = (text: (file: number) => string): Column => always([{ count, isShared: false, text }])
  const name: Rope = [wording, createEnding(plan)]
  return {
    id: computed(chances.id),
    path: always([folder, ...name]),
    name: always(name),
    fileType: kind('fileType'),
    contentType: kind('contentType'),
    hash: computed(chances.hash),
    hashAlgorithm: always(constant('SHA_256_HEX')),
    downloadUrl: always(constant('')),
    created: computed((file) => new Date(ms(file)).toISOString()),
    connectorKey: NOTHING,
    indexStatus: NOTHING,
    indexReason: NOTHING,
  }
}

/** The date and the extension of a name, every combination of which has a code. */
function createEnding({ endingOf, kinds, firstDay, days }: Plan): Piece {
  const dates: string[] = []
  const dateOf = (day: number) => (dates[day] ??= new Date(firstDay + day * DAY).toISOString().slice(0, 10))
  return {
    count: days * kinds.length,
    isShared: true,
    codes: endingOf,
    text: (code) => `${dateOf(Math.floor(code / kinds.length))}.${kinds[code % kinds.length]?.extension ?? ''}`,
  }
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
function sizeOf({ smallest, doublings }: Kind, chance: number): number {
  const base = smallest * (1 << (chance % doublings))
  return base + (Math.floor(chance / doublings) % base)
}

function createRecords(columns: Readonly<Record<TextField, Column>>, integers: Integers): (file: number) => FileRecord {
  const text = (field: TextField) => {
    const read = reader(columns[field].rope)
    return (file: number) => read(file) ?? ''
  }
  const [id, path, name, fileType, contentType] = [
    text('id'),
    text('path'),
    text('name'),
    text('fileType'),
    text('contentType'),
  ]
  const [hash, created] = [text('hash'), text('created')]
  return (file) => ({
    id: id(file),
    path: path(file),
    name: name(file),
    fileType: fileType(file),
    contentType: contentType(file),
    size: integers.size(file),
    hash: hash(file),
    hashAlgorithm: 'SHA_256_HEX',
    downloadUrl: '',
    created: created(file),
    createdBy: integers.createdBy(file),
    connectorKey: null,
    indexStatus: null,
    indexReason: null,
  })
}
