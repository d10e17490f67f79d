import { operationTraits } from '../../app/binding/bound-operations.ts'
import type { AppInstance } from '../../app/app-instance.ts'
import type { Journal } from '../../journal/journal.ts'
import { verify } from '../../journal/journal-routes.ts'
import { runSteps } from '../../engine/slices.ts'
import type { SeenExchange } from './seen.ts'

/** Something that a client did wrong, whether its test noticed or not. */
export interface Mistake {
  /** What it is about: `create`, `wait`, `page`. */
  readonly what: string
  readonly text: string
}

/** What does harm. Requests that were only needless are no failure. */
const HARMFUL: ReadonlySet<string> = new Set(['create', 'wait', 'page', 'next page'])

/** What good clients do not do: see `goodClient` in `POST /__mock/journal/verify`. */
export function mistakesIn(journal: Journal, { bindings, redactor }: AppInstance): Mistake[] {
  const needs = { redactor, operationTraits: operationTraits(bindings) }
  const { results } = runSteps(verify(journal, { expectations: [{ goodClient: true }] }, needs))
  return results
    .flatMap(({ misses }) => misses)
    .flatMap(({ summary, differences }) =>
      differences.map(({ what, expected, received }) => ({
        what,
        text: `${summary}: ${what}: expected ${expected}; received ${received}`,
      })),
    )
    .filter(({ what }) => HARMFUL.has(what))
}

/** What a test received, and what it did wrong. */
export interface Attempted {
  readonly seen: readonly SeenExchange[]
  readonly mistakes: readonly Mistake[]
}

/** The first mistake of a kind that a client does not make without faults. */
export function newMistake(now: Attempted, usual: Attempted): Mistake | undefined {
  const known = new Set(usual.mistakes.map(({ what }) => what))
  // Who begins again after a token expired fetches pages twice.
  const isAgain = now.seen.some(({ struckBy }) => struckBy === 'cursor-expired')
  return [...lostUpdates(now.seen, usual.seen), ...now.mistakes].find(
    ({ what }) => !known.has(what) && !(isAgain && what.endsWith('page')),
  )
}

/** Replacements that undid what another client had changed since, although the service has an ETag to prevent that. */
function lostUpdates(seen: readonly SeenExchange[], usual: readonly SeenExchange[]): Mistake[] {
  if (!usual.some(({ received }) => received.has('header etag'))) return []
  return seen
    .filter(
      ({ struckBy, method, status, isConditional }) =>
        struckBy === 'conflicting-edit' && method === 'PUT' && status >= 200 && status < 300 && !isConditional,
    )
    .map(({ method, url, status }) => ({
      what: 'update',
      text: `${method} ${url} → ${status}: update: expected If-Match with the ETag that was read; received none, and the change of another client is lost`,
    }))
}
