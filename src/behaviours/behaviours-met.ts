import type { BehaviourId } from '../../types/behaviour-settings.d.ts'

/** What reading a body depends on. */
export const OF_BODIES: readonly BehaviourId[] = [
  'body.null',
  'body.unknown',
  'http.media-type',
  'http.content-type-parameters',
  'http.json',
  'http.duplicate-key',
  'http.empty-body',
  'http.null-array',
  'http.size',
  'http.depth',
]

/** What a key in a request depends on. */
export const OF_KEYS: readonly string[] = ['auth']

/** Whether a behaviour is named by one of these: by its id, or by the first part, as `page` names `page.last` and others. */
export function namedBy(names: readonly string[]): (id: string) => boolean {
  const named = new Set(names)
  return (id) => named.has(id) || named.has(id.split('.')[0] ?? '')
}
