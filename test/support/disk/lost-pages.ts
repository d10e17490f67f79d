import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A disk that loses what was not synced. */
export interface LosingDisk {
  /** A directory that is there for good. */
  readonly path: string
  /** The environment of processes whose syncs count. */
  readonly env: Readonly<Record<string, string>>
  /**
   * Loses power. Everything that was not synced is lost; where `chance` wants that, some of it is not: names, and bytes at the end of files.
   *
   * @param chance answers a number from 0 up to 1
   */
  losePower(chance: () => number): void
  remove(): void
}

/** In memory, so that no inode gets the number of an earlier one. */
const MEMORY = '/dev/shm'

/** Undefined where there is no compiler for the library that watches syncs. */
export function createLosingDisk(): LosingDisk | undefined {
  if (!existsSync(MEMORY)) return undefined
  const directory = mkdtempSync(join(MEMORY, 'standin-lost-pages-'))
  const library = join(directory, 'lost-pages.so')
  const remove = () => rmSync(directory, { recursive: true, force: true })
  try {
    const source = join(import.meta.dirname, 'lost-pages.c')
    execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { stdio: 'pipe' })
  } catch {
    remove()
    return undefined
  }
  const notes = join(directory, 'notes')
  const path = join(directory, 'disk')
  mkdirSync(notes)
  mkdirSync(path)
  return {
    path,
    env: { LD_PRELOAD: library, LOST_PAGES: notes },
    losePower(chance) {
      const left = leftOf(path, notes, chance() < 0.5 ? () => 1 : chance)
      rmSync(path, { recursive: true })
      rmSync(notes, { recursive: true })
      mkdirSync(notes)
      mkdirSync(path)
      restore(path, left)
      noteAll(path, notes)
    },
    remove,
  }
}

/** Files by name, and directories. */
type Left = Map<string, Buffer | Left>

/** What a power loss leaves of a directory: the names of its last sync, and now and then later ones. */
function leftOf(path: string, notes: string, chance: () => number): Left {
  const inode = statSync(path).ino
  const synced = namesIn(join(notes, `directory-${inode}`))
  const present = new Map(readdirSync(path).map((name) => [name, statSync(join(path, name)).ino]))
  const names = new Map(synced)
  for (const name of new Set([...synced.keys(), ...present.keys()])) {
    if (synced.get(name) === present.get(name) || chance() >= 0.5) continue
    const later = present.get(name)
    if (later === undefined) names.delete(name)
    else names.set(name, later)
  }
  const left = new Map<string, Buffer | Left>()
  for (const [name, of] of names) {
    const file = present.get(name) === of ? join(path, name) : undefined
    if (file !== undefined && statSync(file).isDirectory()) left.set(name, leftOf(file, notes, chance))
    else left.set(name, bytesOf(join(notes, `file-${of}`), file, chance))
  }
  return left
}

/** The bytes of the last sync, and now and then some of those after them. */
function bytesOf(note: string, present: string | undefined, chance: () => number): Buffer {
  const synced = existsSync(note) ? readFileSync(note) : Buffer.alloc(0)
  if (present === undefined || chance() >= 0.5) return synced
  const later = readFileSync(present)
  return later.subarray(0, synced.length + Math.floor(chance() * (later.length - synced.length + 1)))
}

function namesIn(note: string): Map<string, number> {
  const lines = existsSync(note) ? readFileSync(note, 'utf8').split('\n').filter(Boolean) : []
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), Number.parseInt(line)]))
}

function restore(path: string, left: Left): void {
  for (const [name, one] of left) {
    const made = join(path, name)
    if (Buffer.isBuffer(one)) writeFileSync(made, one, { mode: 0o600 })
    else {
      mkdirSync(made, 0o700)
      restore(made, one)
    }
  }
}

/** What the disk has after a power loss is on it. */
function noteAll(path: string, notes: string): void {
  const names = readdirSync(path)
  const lines = names.map((name) => `${statSync(join(path, name)).ino} ${name}\n`)
  writeFileSync(join(notes, `directory-${statSync(path).ino}`), lines.join(''))
  for (const name of names) {
    const one = join(path, name)
    if (statSync(one).isDirectory()) noteAll(one, notes)
    else writeFileSync(join(notes, `file-${statSync(one).ino}`), readFileSync(one))
  }
}
