import { join } from 'node:path'
import { createExclusively, readIfThere, removeQuietly, renameIfThere } from './disk.ts'
import { StartupError } from '../../errors/problem.ts'

/** Who holds a directory. A number of a process is used again after a while, so the moment of its start belongs to it. */
interface Holder {
  readonly pid: number
  /** Since the machine started, by the kernel's count; empty where the kernel does not tell. */
  readonly started: string
  /** Which start of the machine it was, and in which container. */
  readonly machine: string
}

/** A directory that this process alone may use. */
export interface Lock {
  readonly path: string
  /** Whether the process before this one was killed, so that it could not end its logs. */
  readonly wasLeftBehind: boolean
  /** Gives the directory back. @param isEnded whether every log has its end mark; otherwise the next lock was left behind too */
  unlock(isEnded: boolean): void
}

/**
 * Locks a directory. A lock that was left behind by a process that is no more is taken over.
 *
 * @throws StartupError when another process, or another stand-in of this one, holds it
 */
export function lockDirectory(directory: string): Lock {
  const path = join(directory, 'lock')
  const left = join(directory, 'lock.left')
  const own = JSON.stringify(holderOf(process.pid))
  let wasLeftBehind = false
  for (let attempt = 0; attempt < 10; attempt++) {
    if (createExclusively(path, own)) {
      if (readIfThere(left) !== undefined) wasLeftBehind = true
      removeQuietly(left)
      return {
        path,
        wasLeftBehind,
        // A name can be changed even where the disk has no room for a word.
        unlock(isEnded) {
          if (isEnded && removeQuietly(path)) return
          if (!renameIfThere(path, left)) removeQuietly(path)
        },
      }
    }
    const found = readIfThere(path)
    if (found === undefined) continue
    refuseHeld(directory, path, found)
    breakLock(path, found)
    wasLeftBehind = true
  }
  throw new StartupError([
    `--data ${directory}: the lock ${path} cannot be taken. Empty that file if no stand-in runs there.`,
  ])
}

/**
 * What `lockDirectory` would find, without taking the lock.
 *
 * @throws StartupError when another process holds it
 */
export function inspectLock(directory: string): Pick<Lock, 'path' | 'wasLeftBehind'> {
  const path = join(directory, 'lock')
  const found = readIfThere(path)
  if (found !== undefined) refuseHeld(directory, path, found)
  return { path, wasLeftBehind: found !== undefined || readIfThere(join(directory, 'lock.left')) !== undefined }
}

function refuseHeld(directory: string, path: string, found: string): void {
  const holder = readHolder(found)
  if (holder && isAlive(holder)) throw held(directory, path, holder)
}

/** Puts a lock back that somebody else took over between looking and removing. */
function breakLock(path: string, found: string): void {
  const aside = `${path}.${process.pid}`
  if (!renameIfThere(path, aside)) return
  if (readIfThere(aside) === found) removeQuietly(aside)
  else renameIfThere(aside, path)
}

function held(directory: string, path: string, { pid }: Holder): StartupError {
  const who = pid === process.pid ? 'another stand-in of this process' : `the process ${pid}`
  return new StartupError([
    `--data ${directory}: ${who} is at work there. Stop it, or name another directory. (The lock is ${path}.)`,
  ])
}

/** A lock file that was only partly written belongs to no process. */
function readHolder(text: string): Holder | undefined {
  try {
    const { pid, started, machine } = JSON.parse(text) as Partial<Holder>
    if (typeof pid !== 'number' || typeof started !== 'string' || typeof machine !== 'string') return undefined
    return { pid, started, machine }
  } catch {
    return undefined
  }
}

function isAlive(holder: Holder): boolean {
  if (holder.machine !== machine()) return false
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    // Another user's process may not be asked, but it is there.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const { state, started } = statusOf(holder.pid)
  // A process that was killed stays in the process table until its parent asks for its status (proc(5)).
  return holder.started === started && state !== 'Z' && state !== 'X'
}

function holderOf(pid: number): Holder {
  return { pid, started: statusOf(pid).started, machine: machine() }
}

/** The third field of its status, and the 22nd. The second is a name in brackets, which may hold anything. */
function statusOf(pid: number): { readonly state: string; readonly started: string } {
  const status = readIfThere(`/proc/${pid}/stat`)
  const fields = status?.slice(status.lastIndexOf(')') + 2).split(' ') ?? []
  return { state: fields[0] ?? '', started: fields[19] ?? '' }
}

function machine(): string {
  const boot = readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
  return `${boot} ${readIfThere('/proc/self/ns/pid', 'link') ?? ''}`
}
