import { styleText } from 'node:util'
import { StartupError } from '../base/errors/problem.ts'

/** Prints each complaint as a line of its own, and has the command exit with status 1. @throws anything else */
export function printComplaints(error: unknown): void {
  if (!(error instanceof StartupError)) throw error
  for (const complaint of error.complaints) process.stderr.write(`${errorPrefix()} ${complaint}\n`)
  process.exitCode ??= 1
}

/** `standin:`, red in a terminal. */
export function errorPrefix(): string {
  return styleText('red', 'standin:', { stream: process.stderr })
}
