/** Ids that fixtures list, in digits, for the settings that accept only what is listed; absent where no fixture has such a list. */
export type KnownIds = Partial<Readonly<Record<IdList, ReadonlySet<string>>>>

export const ID_LISTS = ['pages', 'views', 'users', 'groups'] as const
export type IdList = (typeof ID_LISTS)[number]

/** Whether a list has an id, however it is written: 7, 7n and `007` are the same. A list that is not there has none. */
export function isKnownId(known: KnownIds, list: IdList, id: number | bigint | string): boolean {
  return known[list]?.has(BigInt(id).toString()) ?? false
}
