import type { EntryName, SearchExplanation } from '../../../../src/control/client/types.ts'

/**
 * Explains a search and an entry of it: by path; by id where nothing has that path; then by a part of its path, where only one has it.
 *
 * @param explain of the search, with an entry or without
 */
export async function explainEntry(
  explain: (file?: EntryName) => Promise<SearchExplanation>,
  wanted: string,
): Promise<SearchExplanation> {
  const byPath = await explain({ path: wanted.replace(/^\/+|\/+$/g, '') })
  if (byPath.entry?.id !== null) return byPath
  const byId = await explain({ id: wanted })
  if (byId.entry?.id !== null) return byId
  const [only, ...others] = byPath.entry.matches ?? []
  return only && others.length === 0 ? explain({ path: only.path }) : byPath
}
