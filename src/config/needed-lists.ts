import type { Answers, BehaviourId } from '../behaviours/answers.ts'
import type { KeySetting } from './read-keys.ts'

/** Settings that say `listed`, and what they need for that; undefined when it is there. */
type Needs = Partial<Record<BehaviourId, string | undefined>>

/** What is wrong with settings that say `listed` where there is no list. */
export function findMissingLists(answers: Answers, keys: readonly KeySetting[]): { id: string; complaint: string }[] {
  const hasDirectories = keys.some(({ directories }) => directories !== undefined)
  const needs: Needs = {
    'search.visible': hasDirectories
      ? undefined
      : 'directories of file sets: give at least one key `directories` in `keys`',
    'auth.keys': keys.length > 0 ? undefined : 'known keys: give them in `keys`',
  }
  return Object.entries(needs).flatMap(([id, need]) => {
    const value: unknown = answers[id as BehaviourId]
    return need !== undefined && typeof value === 'string' && value.startsWith('listed')
      ? [{ id, complaint: `${id}: \`${value}\` needs a list of ${need}.` }]
      : []
  })
}
