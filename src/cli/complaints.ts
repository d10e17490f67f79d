import { StartupError } from '../errors/problem.ts'

/** Prints each complaint as a line of its own, and has the command exit with status 1. @throws anything else */
export function printComplaints(error: unknown): void {
  if (!(error instanceof StartupError)) throw error
  for (const complaint of error.complaints) process.stderr.write(`standin: ${complaint}\n`)
  process.exitCode ??= 1
}
