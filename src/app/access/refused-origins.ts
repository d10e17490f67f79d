import { shown } from '../../errors/problem.ts'
import type { BehaviourSettings } from '../../behaviours/settings.ts'

/**
 * Tells of pages that get no CORS headers. Their browser keeps the answers from them and says little of why, and the answers
 * themselves look as if all were well.
 */
export type RefusedOrigins = (origin: string, rule: BehaviourSettings['cors']) => void

/** So many origins are told; whoever sends others by the thousand shall not fill the log. */
const MOST_ORIGINS = 50
const LONGEST_ORIGIN = 255

/** What `--allow-origin` takes and a shell leaves alone. */
const ORIGIN = /^(null|[a-z][a-z\d+.-]*:\/\/[a-z\d.:[\]-]+)$/

/** @param note gets a line for each origin, the first time */
export function createRefusedOrigins(note: (line: string) => void): RefusedOrigins {
  const told = new Set<string>()
  return (origin, rule) => {
    const name = origin.slice(0, LONGEST_ORIGIN)
    if (told.size >= MOST_ORIGINS || told.has(name)) return
    told.add(name)
    const page =
      origin === 'null' ? 'a page without an origin (a file, or a sandboxed frame)' : `a page of ${shown(origin)}`
    note(`CORS: the browser keeps this answer from ${page}. ${remedyFor(origin, rule)}`)
    if (told.size === MOST_ORIGINS) note(`CORS: ${MOST_ORIGINS} origins were told of; no more will be.`)
  }
}

function remedyFor(origin: string, rule: BehaviourSettings['cors']): string {
  if (rule === 'off')
    return 'No page may call while the behaviour cors is off: choose --behaviour cors=local, list or any.'
  if (origin.length > LONGEST_ORIGIN || !ORIGIN.test(origin)) return 'Allow every origin with --behaviour cors=any.'
  return `Allow it with --allow-origin ${origin}, or every origin with --behaviour cors=any.`
}
