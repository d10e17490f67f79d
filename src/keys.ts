import type { Config } from './config.ts'
import type { Contract } from './contract/contract.ts'
import type { Keys } from './http/house.ts'
import { nearest } from './nearest.ts'
import { StartRefused } from './problem.ts'

/** Who calls with a key that the configuration does not list. */
const ANYONE = { userId: 1 }

/**
 * Who calls with which key, and what they may do.
 *
 * @throws StartRefused for a right that is no operation of the contract
 */
export function createKeys({ keys }: Config, { operations }: Contract): Keys {
  const ids = operations.map(({ operationId }) => operationId)
  const complaints = keys.flatMap(({ rights = [] }, index) =>
    rights
      .filter((right) => !ids.includes(right))
      .map((right) => {
        const meant = nearest(right, ids)
        return `keys: key ${index + 1} has the unknown right \`${right}\`. ${meant ? `Did you mean \`${meant}\`?` : `Rights: ${ids.join(', ')}.`}`
      }),
  )
  if (complaints.length > 0) throw new StartRefused(complaints)
  const holders = keys.map(
    ({ key, userId = ANYONE.userId, rights }) => [key, { userId, rights: rights && new Set(rights) }] as const,
  )
  return { listed: new Map(holders), anyone: ANYONE }
}
