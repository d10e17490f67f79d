import type { BehaviourSettings, BehaviourId } from '../../../types/behaviour-settings.d.ts'
import type { KeySetting } from '../../config/setting-values.ts'
import type { Resource } from '../../resources/resource.ts'

/** What is wrong with settings that say `listed` where there is no list. */
export function findMissingLists(
  settings: BehaviourSettings,
  keys: readonly KeySetting[],
  resources: readonly Resource[],
): readonly { readonly id: string; readonly complaint: string }[] {
  const hasDirectories = keys.some(({ directories }) => directories !== undefined)
  const needs: Partial<Record<BehaviourId, string | undefined>> = {
    'search.visible': hasDirectories
      ? undefined
      : 'directories of file sets: give at least one key `directories` in `keys`',
    ...(Object.assign({}, ...resources.map((resource) => resource.missingLists?.())) as object),
    'auth.keys': keys.length > 0 ? undefined : 'known keys: give them in `keys`',
  }
  return Object.entries(needs).flatMap(([id, need]) => {
    const value: unknown = settings[id as BehaviourId]
    return need !== undefined && typeof value === 'string' && value.startsWith('listed')
      ? [{ id, complaint: `${id}: \`${value}\` needs a list of ${need}.` }]
      : []
  })
}
