import type { BehaviourId, BehaviourSettings } from '../../types/behaviour-settings.d.ts'
import {
  type Behaviours,
  createBehavioursOf,
  type OverrideError,
  type Overrides,
  withOverrides,
} from '../behaviours/behaviours.ts'
import type { Config } from '../config/config.ts'
import type { KeySetting } from '../config/setting-values.ts'
import { StartupError } from '../base/errors/problem.ts'
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

/** A setting that says `listed`, and what it lacks. */
interface MissingList {
  readonly id: string
  readonly complaint: string
}

/** What is wrong with settings that say `listed` where there is no list. */
export function findMissingLists(settings: BehaviourSettings, { keys, resources }: ListOwners): readonly MissingList[] {
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

/**
 * A profile says what a service does, not what it knows: no recording has all of its keys and ids. Where a list is missing, a setting of
 * the profile gives way to the default.
 *
 * @throws StartupError for settings that were given outside the profile
 */
export function withoutLists(
  behaviours: Behaviours,
  missing: readonly MissingList[],
  { profile, behaviours: given }: Pick<Config, 'profile' | 'behaviours'>,
): { readonly behaviours: Behaviours; readonly notes: readonly string[] } {
  const calibrated = typeof profile === 'string' ? [] : profile.behaviours
  const isCalibrated = (id: string) => calibrated.some((one) => one.id === id) && !given.some((one) => one.id === id)
  const refused = missing.filter(({ id }) => !isCalibrated(id))
  if (refused.length > 0) throw new StartupError(refused.map(({ complaint }) => complaint))
  const usual = behaviours.catalog.behaviours.filter(({ id }) => missing.some((one) => one.id === id))
  return {
    behaviours: createBehavioursOf(behaviours)(Object.fromEntries(usual.map((one) => [one.id, one.default]))),
    notes: missing.map(({ complaint }) => `The profile says ${complaint} Until then its default is used.`),
  }
}
