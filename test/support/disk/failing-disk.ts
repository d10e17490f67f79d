import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { createDirectory } from '../command.ts'

/** The calls of `node:fs` by which a log is written and read. */
const CALLS = [
  ...['openSync', 'fstatSync', 'writeSync', 'writeFileSync', 'fsyncSync', 'ftruncateSync', 'renameSync', 'closeSync'],
  ...['rmSync', 'readSync', 'readdirSync', 'readFileSync', 'statSync'],
]

type Call = (...args: unknown[]) => unknown

/**
 * Lets one call of `node:fs` in a directory fail, the nth from now on: a write stores half of its bytes first, and a file that could not be
 * closed is closed. All other calls do what they always do.
 */
export function failOnce(directory: string, nth: number): { hasFailed(): boolean; restore(): void } {
  const originals = new Map<string, unknown>(Object.entries(fs))
  const calls = fs as unknown as Record<string, Call>
  const open = new Set<unknown>(openFilesIn(directory))
  let count = 0
  for (const name of CALLS) {
    const original = calls[name]!
    calls[name] = (...args) => {
      const [target] = args
      if (!open.has(target) && !String(target).startsWith(directory)) return original(...args)
      if (++count === nth) {
        if (name === 'writeSync') original(target, (args[1] as Buffer).subarray(0, (args[1] as Buffer).length / 2))
        if (name === 'closeSync') original(target)
        throw Object.assign(new Error(`EIO: i/o error, ${name}`), { code: 'EIO' })
      }
      const result = original(...args)
      if (name === 'openSync') open.add(result)
      if (name === 'closeSync') open.delete(target)
      return result
    }
  }
  syncBuiltinESMExports()
  return {
    hasFailed: () => count >= nth,
    restore() {
      for (const name of CALLS) calls[name] = originals.get(name) as Call
      syncBuiltinESMExports()
    },
  }
}

function openFilesIn(directory: string): number[] {
  const all = fs.readdirSync('/proc/self/fd')
  return all.filter((file) => linkOf(`/proc/self/fd/${file}`).startsWith(directory)).map(Number)
}

function linkOf(path: string): string {
  try {
    return fs.readlinkSync(path)
  } catch {
    return ''
  }
}

/** A disk of its own. */
export interface SmallDisk {
  readonly path: string
  /** Leaves so many bytes of room, rounded down to whole pages. */
  fill(room?: number): void
  /** Removes what filled it. */
  free(): void
  remove(): void
}

const PAGE = 4096

/** Mounts a file system in memory. Undefined where this user may not mount. */
export function mountSmallDisk(bytes: number): SmallDisk | undefined {
  const { path, remove } = createDirectory({})
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    remove()
    return undefined
  }
  const filler = `${path}/filler`
  const free = () => fs.rmSync(filler, { force: true })
  return {
    path,
    fill(room = 0) {
      free()
      const { bavail, bsize } = fs.statfsSync(path)
      const size = bavail * bsize - Math.floor(room / PAGE) * PAGE
      try {
        if (size > 0) fs.writeFileSync(filler, Buffer.alloc(size))
      } catch {
        // Another process was faster, and the disk is full.
      }
    },
    free,
    remove() {
      execFileSync('umount', ['--lazy', path])
      remove()
    },
  }
}
