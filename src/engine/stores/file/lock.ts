import { join } from 'node:path'
import { createExclusively, readIfThere, removeQuietly, renameIfThere } from './disk.ts'
import { StartupError } from '../../../base/errors/problem.ts'

/** The process that holds a directory. Process ids are reused, so the time of its start identifies it too. */
interface LockHolder {
  readonly pid: number
  /** Kernel ticks since the machine started; empty where the kernel does not tell. */
  readonly started: string
  /** Identifies the start of the machine, and the container. */
  readonly machine: string
}

/** A directory that only this process may use. */
export interface Lock {
  readonly path: string
  /** Whether the process before this one was killed, and so could not close its logs. */
  readonly wasLeftBehind: boolean
  /** Releases the directory. @param isEnded whether every log has its end mark; otherwise the lock file is left behind */
  unlock(isEnded: boolean): void
}

/**
 * Locks a directory. The lock of a process that no longer runs is taken over.
 *
 * @throws StartupError when another process, or another stand-in of this one, holds it
 */
export function lockDirectory(directory: string): Lock {
  const path = join(directory, 'lock')
  const left = join(directory, 'lock.left')
  const own = JSON.stringify({ pid: process.pid, started: statusOf(process.pid).started, machine: machine() })
  let wasLeftBehind = false
  for (let attempt = 0; attempt < 10; attempt++) {
    if (createExclusively(path, own)) {
      if (readIfThere(left) !== undefined) wasLeftBehind = true
      removeQuietly(left)
      return {
        path,
        wasLeftBehind,
        // Renaming works even when the disk is full.
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

/** Restores a lock that another process took between the check and the removal. */
function breakLock(path: string, found: string): void {
  const aside = `${path}.${process.pid}`
  if (!renameIfThere(path, aside)) return
  if (readIfThere(aside) === found) removeQuietly(aside)
  else renameIfThere(aside, path)
}

function held(directory: string, path: string, { pid }: LockHolder): StartupError {
  const who = pid === process.pid ? 'another stand-in of this process' : `the process ${pid}`
  return new StartupError([
    `--data ${directory}: the directory is in use by ${who}. Stop it, or name another directory. (The lock is ${path}.)`,
  ])
}

/** A lock file that was only partly written belongs to no process. */
function readHolder(text: string): LockHolder | undefined {
  try {
    const { pid, started, machine } = JSON.parse(text) as Partial<LockHolder>
    if (typeof pid !== 'number' || typeof started !== 'string' || typeof machine !== 'string') return undefined
    return { pid, started, machine }
  } catch {
    return undefined
  }
}

function isAlive(holder: LockHolder): boolean {
  if (holder.machine !== machine()) return false
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    // The process of another user cannot be signalled, but it exists.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const { state, started } = statusOf(holder.pid)
  // A killed process stays in the process table until its parent reads its status (proc(5)).
  return holder.started === started && state !== 'Z' && state !== 'X'
}

/** The third and 22nd field of its status. The second is a name in brackets, which may contain anything. */
function statusOf(pid: number): { readonly state: string; readonly started: string } {
  const status = readIfThere(`/proc/${pid}/stat`)
  const fields = status?.slice(status.lastIndexOf(')') + 2).split(' ') ?? []
  return { state: fields[0] ?? '', started: fields[19] ?? '' }
}

function machine(): string {
  const boot = readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
  return `${boot} ${readIfThere('/proc/self/ns/pid', 'link') ?? ''}`
}
