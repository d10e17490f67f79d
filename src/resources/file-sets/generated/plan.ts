import type { Directories } from '../entries/directories.ts'
import { chanceKey, draw } from '../../../engine/random.ts'
import type { Steps } from '../../../engine/slices.ts'

/** One kind of document: what its names end in, what it is, and how large such files are. */
export interface FileKind {
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
  readonly kind: FileKind
}

/** What is found in one sort of directory. Names are `stem-subject-date.extension`; stems hold no separator. */
interface Topic {
  readonly stems: readonly Stem[]
  readonly subjects: readonly string[]
  readonly separator: string
  /** User ids of those who work there. */
  readonly team: readonly number[]
}

/** One directory that holds generated files: its path, what it is about, and the days its files were made on. */
export interface LeafDirectory {
  readonly path: string
  readonly topic: Topic
  /** UTC midnight, epoch ms, of the first of the days. */
  readonly firstDay: number
  readonly days: number
}

const DAY = 86_400_000

/** A leaf with its share of the files: those from `first` on. */
interface Share {
  readonly leaf: LeafDirectory
  readonly directory: number
  readonly first: number
}

/** Gives each leaf a share of the files, uneven as real directories are, in the order of the directories. */
function* shareOut(
  count: number,
  leaves: readonly LeafDirectory[],
  directories: Directories,
  seed: number,
): Steps<Share[]> {
  const key = chanceKey(seed, 'leaf weight')
  const ordered = leaves.map((leaf) => ({ leaf, directory: directories.find(leaf.path) ?? 0 }))
  yield
  ordered.sort((a, b) => a.directory - b.directory)
  yield
  const weights = ordered.map((_, at) => 4 + (draw(key, at) % 13))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let before = 0
  yield
  return ordered.map((share, at) => {
    const first = Math.floor((before * count) / total)
    before += weights[at] ?? 0
    return { ...share, first }
  })
}

/** By purpose: the draw of a file, an integer below 2^32. */
export type Chances = Readonly<Record<'name' | 'time' | 'size' | 'author' | 'idHead', (index: number) => number>> & {
  readonly id: (file: number) => string
  readonly hash: (file: number) => string
  /** The file whose id begins with this word. */
  readonly fileOf: (idHead: number) => number
}

/** One stem with one subject of one topic: what the first part of a name is put together from. */
interface Wording {
  readonly topic: Topic
  readonly stem: Stem
  /** The name as far as its date. */
  readonly text: string
}

/** What is stored of each file, and the tables that it refers to. */
export interface Plan {
  readonly count: number
  readonly directoryOf: Uint32Array
  readonly before: Uint32Array
  readonly wordings: readonly Wording[]
  /** By file: an index of `wordings`. */
  readonly wordingOf: Uint16Array
  /** By file: days since `firstDay`. */
  readonly dayOf: Uint16Array
  /** UTC midnight, epoch ms. */
  readonly firstDay: number
  readonly days: number
}

/** Spreads `count` files over the leaves. */
export function* createPlan(
  count: number,
  leaves: readonly LeafDirectory[],
  { directories, seed, chances: { name } }: { directories: Directories; seed: number; chances: Chances },
): Steps<Plan> {
  const shares = yield* shareOut(count, leaves, directories, seed)
  const { wordings, firstWording } = listWordings(shares)
  yield
  const firstDay = shares.reduce((first, { leaf }) => Math.min(first, leaf.firstDay), Infinity)
  const lastDay = shares.reduce((last, { leaf }) => Math.max(last, leaf.firstDay + leaf.days * DAY), 0)
  const directoryOf = new Uint32Array(count)
  const before = new Uint32Array(directories.count + 1).fill(count)
  const wordingOf = new Uint16Array(count)
  const dayOf = new Uint16Array(count)
  let filled = 0
  for (const [at, { leaf, directory, first }] of shares.entries()) {
    if (at % MAX_SHARES === 0) yield
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
      wordingOf[file] = wording + combination - days * words
      dayOf[file] = day + days
      combination += stride
      if (combination >= combinations) combination -= combinations
    }
  }
  const days = Math.max(0, (lastDay - firstDay) / DAY)
  return { count, directoryOf, before, wordings, wordingOf, dayOf, firstDay, days }
}

/** Directories that are filled in one step. */
const MAX_SHARES = 512

/** All wordings of all topics, those of one topic together: the stems by turns, then the next subject. */
function listWordings(shares: readonly Share[]) {
  const wordings: Wording[] = []
  const firstWording = new Map<Topic, number>()
  for (const { topic } of shares.map(({ leaf }) => leaf)) {
    if (firstWording.has(topic)) continue
    firstWording.set(topic, wordings.length)
    for (const subject of topic.subjects) {
      for (const stem of topic.stems) {
        wordings.push({ topic, stem, text: `${stem.word}${topic.separator}${subject}${topic.separator}` })
      }
    }
  }
  return { wordings, firstWording }
}

/** A prime that shares no factor with the number of combinations, so that strides of it meet every combination once. */
function strideFor(combinations: number): number {
  return combinations % 7919 === 0 ? 104_729 : 7919
}
