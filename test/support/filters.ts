import { expect } from 'vitest'
import { complaintsOf, rowsOf, type Tester } from './tester.ts'

export interface Filter {
  readonly field?: string | null | undefined
  readonly operator?: string | null | undefined
  readonly value?: unknown
  readonly not?: boolean
}

export const file = (path: string, fields: object = {}) => ({ path, ...fields })
export const directory = (path: string, fields: object = {}) => ({ path, fileType: 'DIRECTORY', ...fields })
export const set = (...files: readonly object[]) => ({ fixtures: [{ fileSets: [{ id: 'tiny', files }] }] })

export const filter = (field: string, operator: string, ...value: readonly unknown[]): Filter => ({
  field,
  operator,
  value,
})
export const like = (...value: readonly string[]) => filter('name', 'LIKE', ...value)
export const equals = (...value: readonly string[]) => filter('name', 'EQUALS', ...value)
export const not = (one: Filter): Filter => ({ ...one, not: true })

/** The paths that meet all of the filters, by path. */
export const found = ({ paths }: Tester, ...filters: readonly Filter[]) => paths({ body: { filters } })

/** The behaviours that a search with these filters depends on. */
export const leaningOf = async ({ search }: Tester, ...filters: readonly Filter[]) =>
  rowsOf(await search({ body: { filters } }))

/** Sees the filters refused, each complaint being a pointer below `/filters` and a row. */
export async function expectRefused(
  { search }: Tester,
  filters: readonly Filter[],
  ...complaints: string[]
): Promise<void> {
  const refused = await search({ body: { filters } })
  expect(refused.status, JSON.stringify(filters).slice(0, 100)).toBe(400)
  expect(complaintsOf(refused)).toEqual(complaints.map((complaint) => `/filters${complaint}`))
  for (const complaint of complaints) expect(rowsOf(refused)).toContain(complaint.split(' ')[1])
}
