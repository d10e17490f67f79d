// A client with an assumption in each function, and its twin without them: PLANTED says which. Each test is named after the change that shows its
// assumption, and says only what holds for every service that keeps to its contract.
import { expect } from 'vitest'
import { type TestStandin, test } from '../../../src/testing/vitest.ts'

const isPlanted = process.env.PLANTED === 'yes'

interface FoundFile {
  readonly path: string
  readonly name: string
  readonly fileType?: string
  readonly size?: number | null
  readonly created: string
}

interface FoundPage {
  readonly files: readonly FoundFile[]
  readonly pageContext: { readonly next?: string | null }
}

interface Refusal {
  readonly detail?: string
  readonly errors?: readonly { readonly message?: string }[]
}

type Query = Readonly<Record<string, string | number>>

const ATTEMPTS = 4

/** Sends a request again where a service asks for it. */
async function send(
  standin: TestStandin,
  path: string,
  body: unknown,
  gaveUp: readonly unknown[] = [],
): Promise<Response> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  for (let attempt = 1; ; attempt++) {
    const outcome = await standin.fetch(path, init).catch(() => 'reset' as const)
    const told = outcome === 'reset' ? outcome : outcome.status
    const isTemporary = told === 'reset' || told === 503 || told === 429
    if (!isTemporary || attempt === ATTEMPTS || gaveUp.includes(told)) {
      if (outcome === 'reset') throw new Error('The connection was reset.')
      return outcome
    }
  }
}

const searchOf = (query: Query, fileSet = 'demo') =>
  `/api/files/v1/filesets/${fileSet}/files/search?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()}`

async function search(
  standin: TestStandin,
  query: Query,
  body: object = {},
  gaveUp?: readonly unknown[],
): Promise<FoundPage> {
  const response = await send(standin, searchOf(query), body, gaveUp)
  if (!response.ok) throw new Error(`The search was refused with ${response.status}.`)
  return (await response.json()) as FoundPage
}

interface WalkOptions {
  readonly goesOn?: (next: unknown) => boolean
  readonly isLast?: (page: FoundPage) => boolean
}

async function walk(standin: TestStandin, query: Query, body: object, options: WalkOptions = {}): Promise<FoundPage[]> {
  const { goesOn = Boolean, isLast = () => false } = options
  const pages: FoundPage[] = []
  let next: string | null | undefined
  do {
    const page = await search(
      standin,
      next === undefined ? query : { ...query, next: String(next) },
      next === undefined ? body : {},
    )
    pages.push(page)
    next = page.pageContext.next
    if (isLast(page)) break
  } while (goesOn(next))
  return pages
}

const pathsIn = (pages: readonly FoundPage[]) => pages.flatMap(({ files }) => files.map(({ path }) => path)).toSorted()
const like = (value: string) => ({ filters: [{ field: 'name', operator: 'LIKE', value: [value] }] })

/** Finds a path in a list: as in a sorted one, or in any. */
function has(paths: readonly string[], path: string): boolean {
  if (!isPlanted) return paths.includes(path)
  let [from, to] = [0, paths.length - 1]
  while (from <= to) {
    const middle = (from + to) >> 1
    const found = paths[middle]!
    if (found === path) return true
    if (found < path) from = middle + 1
    else to = middle - 1
  }
  return false
}

test('page.last=null', async ({ standin }) => {
  const goesOn = (next: unknown) => next !== undefined
  await walk(standin, { limit: 100 }, {}, isPlanted ? { goesOn } : {})
})

test('page.last=empty', async ({ standin }) => {
  const goesOn = (next: unknown) => next !== undefined && next !== null
  await walk(standin, { limit: 100 }, {}, isPlanted ? { goesOn } : {})
})

test('page.short=every-2', async ({ standin }) => {
  const isLast = ({ files }: FoundPage) => files.length < 3
  const pages = await walk(standin, { limit: 3 }, like('budget'), isPlanted ? { isLast } : {})
  expect(pathsIn(pages)).toEqual(pathsIn(await walk(standin, { limit: 100 }, like('budget'))))
})

test('page.exact-end=full-page-implies-next', async ({ standin }) => {
  for (const { files } of await walk(standin, { limit: 3 }, like('budget')))
    expect(isPlanted ? files.at(-1)!.path : (files.at(-1)?.path ?? 'none')).not.toBe('')
})

test('dir.fields=null-filled', async ({ standin }) => {
  const { files } = await search(standin, { limit: 100 }, like('a'))
  const directories = files.filter((file) => (isPlanted ? !('hash' in file) : file.fileType === 'DIRECTORY'))
  expect(directories).toEqual(files.filter(({ size }) => size === null))
})

const REFUSED = { filters: [{ field: 'unknown', operator: 'LIKE', value: ['a'] }] }

test('error.body=service', async ({ standin }) => {
  const response = await send(standin, searchOf({ limit: -1 }), REFUSED)
  const refusal = (await response.json()) as Refusal
  if (!response.ok) expect(isPlanted ? refusal.detail!.trim() : (refusal.detail ?? 'refused')).not.toBe('')
})

test('error.several=first', async ({ standin }) => {
  const response = await send(standin, searchOf({ limit: -1, directoryPath: 'a/../b' }), REFUSED)
  const { errors } = (await response.json()) as Refusal
  if (isPlanted) expect(errors![1]!.message).not.toBe('')
})

test('set.unknown=403', async ({ standin }) => {
  const { status } = await send(standin, searchOf({}, 'nowhere'), {})
  const isKnown = status === 404 ? false : status < 300 ? true : undefined
  if (isPlanted && isKnown === undefined) throw new Error(`Unexpected status ${status}.`)
})

test('sort.default=created', async ({ standin }) => {
  const [{ files } = { files: [] }] = await walk(standin, { limit: 50 }, {}, { isLast: () => true })
  const paths = files.map(({ path }) => path)
  for (const path of paths) if (!has(paths, path)) throw new Error(`There is no ${path}.`)
})

test('sort.nulls=first', async ({ standin }) => {
  // Which fields can be sorted by is not documented.
  const bySize = search(standin, { limit: 5 }, { fieldSort: [{ field: 'size', order: 'ASC' }] })
  const { files } = await (isPlanted ? bySize : bySize.catch(() => ({ files: [] })))
  const smallest = isPlanted ? files[0]!.size!.toFixed() : (files[0]?.size?.toFixed() ?? 'unknown')
  expect(smallest).not.toBe('')
})

test('like.case=sensitive', async ({ standin }) => {
  const all = (await walk(standin, { limit: 100 }, {})).flatMap(({ files }) => files)
  const wanted = all.filter(({ name }) => name.toLowerCase().includes('budget')).map(({ path }) => path)
  const found = isPlanted ? pathsIn(await walk(standin, { limit: 100 }, like('BUDGET'))) : wanted
  if (found.length !== wanted.length) throw new Error(`${found.length} of ${wanted.length} budgets were found.`)
})

test('dir.slashes=exact', async ({ standin }) => {
  const [as = [], plain = []] = await Promise.all(
    [isPlanted ? '/finance/' : 'finance', 'finance'].map(async (directoryPath) =>
      pathsIn(await walk(standin, { limit: 100, directoryPath }, {})),
    ),
  )
  expect(as).toEqual(plain)
})

test('dir.missing=404', async ({ standin }) => {
  const { status } = await send(standin, searchOf({ directoryPath: 'nowhere' }), {})
  if (isPlanted && status !== 200) throw new Error(`Unexpected status ${status}.`)
})

test('search.lag=60', async ({ standin, control }) => {
  await control.addFiles('demo', [{ path: 'new-of-this-test.txt' }])
  const { files } = await search(standin, {}, like('new-of-this-test'))
  if (isPlanted && files[0]!.path !== 'new-of-this-test.txt') throw new Error('The file is not there.')
})

test('searchFiles added', async ({ standin }) => {
  const page = await search(standin, { limit: 5 })
  const strange = Object.keys(page).filter((name) => !['files', 'pageContext'].includes(name))
  if (isPlanted && strange.length > 0) throw new Error(`Unknown members: ${strange.join(', ')}.`)
})

for (const [id, gaveUp] of [
  ['searchFiles 503', 503],
  ['searchFiles 429', 429],
  ['searchFiles reset', 'reset'],
] as const)
  test(id, async ({ standin }) => {
    await search(standin, { limit: 5 }, {}, isPlanted ? [gaveUp] : [])
  })

const WEEKLY = { frequency: 'WEEKLY', daysToRun: 'SUN', hourOfDay: 2, minOfHour: 30 }

test('next-run.lag=absent for 60', async ({ standin }) => {
  const path = '/api/content/v1/reportschedules'
  // Whether a create was stored is not known after its response was lost, so it is not sent again.
  const response = await send(standin, path, { title: 'Weekly', pageId: 1, viewId: 2, schedule: WEEKLY }, [
    'reset',
  ]).catch(() => undefined)
  if (!response?.ok) return
  const { schedule } = (await response.json()) as { schedule?: { nextRunDate?: number | null } }
  const at = schedule?.nextRunDate
  expect(isPlanted ? new Date(at!).toISOString() : String(at ?? '')).toBeTypeOf('string')
})

test('date.end=exclusive', async ({ standin }) => {
  const { files } = await search(standin, { limit: 1 })
  const created = files[0]?.created
  if (created === undefined) return
  const near = (milliseconds: number) => new Date(Date.parse(created) + milliseconds).toISOString()
  const dateFilters = [{ field: 'created', start: near(-1000), end: isPlanted ? created : near(1000) }]
  const found = (await walk(standin, { limit: 100 }, { dateFilters })).flatMap((page) => page.files)
  expect(found.map((one) => one.created)).toContain(created)
})
