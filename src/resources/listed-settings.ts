import type { BehaviourId, BehaviourSettings } from '../../types/behaviour-settings.d.ts'
import { type Behaviours, type OverrideError, withOverrides } from '../behaviours/behaviours.ts'
import type { KeySetting } from '../config/setting-values.ts'
import type { Overrides } from '../behaviours/behaviours.ts'
import type { Resource } from './resource.ts'

/** What is wrong with the overrides of a sandbox. */
export function checkOverrides(own: Behaviours, overrides: Overrides, lists: ListOwners): readonly OverrideError[] {
  const changed = withOverrides(own, overrides)
  if (!('settings' in changed)) return changed
  const missing = findMissingLists(changed.settings, lists)
  return missing.map(({ id, complaint }) => ({ id, complaint, value: overrides[id], setBy: 'the sandbox' }))
}

/** What can hold the lists that settings refer to. */
interface ListOwners {
  readonly keys: readonly KeySetting[]
  readonly resources: readonly Resource[]
}

/** What is wrong with settings that say `listed` where there is no list. */
export function findMissingLists(
  settings: BehaviourSettings,
  { keys, resources }: ListOwners,
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
