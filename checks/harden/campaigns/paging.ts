import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Rounds } from '../campaign.ts'
import { readPage } from '../page.ts'
import { checkOnce } from '../property.ts'
import { type Service, startService } from '../service.ts'
import { drafts, fileSets, pick } from '../../../test/resources/file-sets/arbitrary-searches.ts'
import { type Entry, type Query, searchNaively } from '../../../test/resources/file-sets/naive-search.ts'

/** How the pages after the first are requested: with the same search, with the token alone, or each with another limit. */
const walks = fc.record({ limit: pick(1, 2, 3, 4, 5, 6, 7), manner: pick('repeated', 'alone', 'other limits') })
type Walk = typeof walks extends fc.Arbitrary<infer T> ? T : never

const searches = (count: number) => fc.array(fc.tuple(drafts, walks), { minLength: count, maxLength: count })

export async function open(): Promise<Rounds> {
  const service = await startService({
    files: 0,
    clock: '2026-03-05T00:00:00Z',
    behaviours: { 'filter.numeric-like': 'digits' },
  })
  return {
    run: (round) =>
      checkOnce(service, round, fc.tuple(fileSets, searches(round.cases)), async ([fileSet, asked]) => {
        await service.control.reset()
        await service.control.createFileSet({ id: 'any', ...(fileSet as { files: { path: string }[] }) })
        const { files: entries } = readPage(await service.search('any', { limit: 100_000 }, {}))
        for (const [draft, walk] of asked) await compare(service, entries, draft(entries), walk)
      }),
    requests: service.requests,
    close: async () => {
      await service.stop()
      return { requests: service.count() }
    },
  }
}

async function compare(service: Service, entries: readonly Entry[], query: Query, walk: Walk): Promise<void> {
  const { body, ...parameters } = query
  const page = readPage(await service.search('any', { ...parameters, limit: 5000 }, body))
  const note = JSON.stringify({ query, walk })
  assert.equal(page.next, undefined, note)
  assert.deepEqual(page.files, searchNaively(entries, query), note)
  assert.deepEqual(await collect(service, query, walk, page.files.length), page.files, note)
}

/** All pages of a search. Each but the last must be full, and the last must not be empty unless it is the only one. */
async function collect(service: Service, query: Query, { limit, manner }: Walk, most: number): Promise<Entry[]> {
  const { body, ...parameters } = query
  const found: Entry[] = []
  let size: number = limit
  let page = readPage(await service.search('any', { ...parameters, limit: size }, body))
  while (page.next !== undefined && found.length <= most) {
    assert.equal(page.files.length, size)
    found.push(...page.files)
    if (manner === 'other limits') size = (size % 7) + 1
    const same = manner === 'alone' ? {} : parameters
    page = readPage(
      await service.search('any', { ...same, limit: size, next: page.next }, manner === 'alone' ? {} : body),
    )
  }
  if (found.length > 0) assert.notEqual(page.files.length, 0)
  return [...found, ...page.files]
}
