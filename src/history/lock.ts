import { join } from 'node:path'
import { createExclusively, readIfThere, removeFile, renameIfThere } from './disk.ts'
import { StartRefused } from '../problem.ts'

/** Who holds a directory. A number of a process is used again after a while, so the moment of its start belongs to it. */
interface Holder {
  readonly pid: number
  /** Since the machine started, by the kernel's count; empty where the kernel does not tell. */
  readonly started: string
  /** Which start of the machine it was, and in which container. */
  readonly machine: string
}

/**
 * Takes a directory for this process alone, and answers how to give it back. A lock that was left behind by a process that is no
 * more is taken over.
 *
 * @throws StartRefused when another process, or another stand-in of this one, holds it
 */
export function lockDirectory(directory: string): () => void {
  const path = join(directory, 'lock')
  const own = JSON.stringify(holderOf(process.pid))
  for (let attempt = 0; attempt < 10; attempt++) {
    if (createExclusively(path, own)) return () => removeFile(path)
    const found = readIfThere(path)
    if (found === undefined) continue
    const holder = readHolder(found)
    if (holder && isAlive(holder)) throw held(directory, path, holder)
    breakLock(path, found)
  }
  throw new StartRefused([`--data ${directory}: the lock ${path} cannot be had. Remove it if no stand-in runs there.`])
}

/** Puts a lock back that somebody else took over between looking and removing. */
function breakLock(path: string, found: string): void {
  const aside = `${path}.${process.pid}`
  if (!renameIfThere(path, aside)) return
  if (readIfThere(aside) === found) removeFile(aside)
  else renameIfThere(aside, path)
}

function held(directory: string, path: string, { pid }: Holder): StartRefused {
  const who = pid === process.pid ? 'another stand-in of this process' : `the process ${pid}`
  return new StartRefused([
    `--data ${directory}: ${who} is at work there. Stop it, or name another directory. (The lock is ${path}.)`,
  ])
}

/** What was torn while it was written is nobody's. */
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
  return holder.started === startOf(holder.pid)
}

function holderOf(pid: number): Holder {
  return { pid, started: startOf(pid), machine: machine() }
}

/** The 22nd field of its status. The second is a name in brackets, which may hold anything. */
function startOf(pid: number): string {
  const status = readIfThere(`/proc/${pid}/stat`)
  return status?.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function machine(): string {
  const boot = readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
  return `${boot} ${readIfThere('/proc/self/ns/pid', 'link') ?? ''}`
}
