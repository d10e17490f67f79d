import { type ControlledTester } from './control.ts'
import { nextOf, type SearchOptions } from './tester.ts'

/** Walks through all pages of a search, as a good client does. Answers how many pages there were. */
export async function walkAll({ search }: ControlledTester, options: SearchOptions, limit: number): Promise<number> {
  let pages = 0
  let next: string | undefined
  do {
    const query: Record<string, string | number> = next === undefined ? { limit } : { limit, next }
    next = nextOf(await search({ ...options, query }))
    pages++
  } while (next !== undefined)
  return pages
}
