import type { Ask } from '../frame/ask.ts'
import type { Work } from './contender.ts'

/** A `db.json`, and what to ask of it: `GET /page`, `POST /reportschedules`, or `PUT /reportschedules/1`. */
export function describeForJsonServer({ kind, ask, answer }: Work): { database: string; ask: Ask } {
  if (kind === 'search')
    return { database: `{"page":${answer}}`, ask: { method: 'GET', path: '/page', headers: ask.headers } }
  const stored = { ...(JSON.parse(ask.body ?? '{}') as object), id: 1 }
  const path = kind === 'create' ? '/reportschedules' : '/reportschedules/1'
  return { database: JSON.stringify({ reportschedules: [stored] }), ask: { ...ask, path } }
}
