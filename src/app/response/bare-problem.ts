import { STATUS_CODES } from 'node:http'
import { Problem } from '../../errors/problem.ts'

/** A refusal of which only the status is known, since somebody asked for it. */
export function bareProblem(status: number, headers: Readonly<Record<string, string>> = {}): Problem {
  const title = STATUS_CODES[status] ?? 'Error'
  const slug = title.toLowerCase().replaceAll(/[^a-z]+/g, '-')
  const detail = PASSING.has(status) ? `${title}. Try again later.` : `${title}.`
  return new Problem(status, slug, title, { detail, headers })
}

/** What is over by itself. */
const PASSING = new Set([429, 503])
