import type { BehaviourSettings, BehaviourId } from '../../../types/behaviour-settings.d.ts'
import type { KeySetting } from '../../config/setting-values.ts'
import type { IdList, KnownIds } from '../../engine/known-ids.ts'

/** Lists that the settings and fixtures hold. */
export interface GivenLists {
  readonly keys: readonly KeySetting[]
  readonly knownIds: KnownIds
}

/** What is wrong with settings that say `listed` where there is no list. */
export function findMissingLists(
  settings: BehaviourSettings,
  { keys, knownIds }: GivenLists,
): readonly { readonly id: string; readonly complaint: string }[] {
  const fixtureWith = (...names: IdList[]) => {
    const missing = names.filter((name) => knownIds[name] === undefined)
    return missing.length === 0
      ? undefined
      : `ids: give ${missing.map((name) => `\`${name}\``).join(' and ')} in a fixture`
  }
  const hasDirectories = keys.some(({ directories }) => directories !== undefined)
  const needs: Partial<Record<BehaviourId, string | undefined>> = {
    'search.visible': hasDirectories
      ? undefined
      : 'directories of file sets: give at least one key `directories` in `keys`',
    'links.exist': fixtureWith('pages', 'views'),
    'recipients.known': fixtureWith('users', 'groups'),
    'auth.keys': keys.length > 0 ? undefined : 'known keys: give them in `keys`',
  }
  return Object.entries(needs).flatMap(([id, need]) => {
    const value: unknown = settings[id as BehaviourId]
    return need !== undefined && typeof value === 'string' && value.startsWith('listed')
      ? [{ id, complaint: `${id}: \`${value}\` needs a list of ${need}.` }]
      : []
  })
}
