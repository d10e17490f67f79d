import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** MiB that the process has resident now; on Linux only. */
export function residentOf(pid: number): number {
  return readStatus(pid, 'VmRSS')
}

/** MiB that the process had resident at its highest. */
export function peakOf(pid: number): number {
  return readStatus(pid, 'VmHWM')
}

/** Seconds of processor time that all threads of the process have used, to a hundredth. */
export function processorSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the command, in parentheses, may hold blanks; the fields after it may not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

function readStatus(pid: number, field: string): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  if (!line) throw new Error(`/proc/${pid}/status has no ${field}.`)
  return Number(line[1]) / 1024
}
