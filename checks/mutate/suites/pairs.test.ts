// A client that copes with each undocumented setting alone, and fails where two of them meet: PLANTED says whether. Each test is named after its two.
import { test } from '../../../src/testing/vitest.ts'
import { PAIRS } from '../pairs.ts'

interface Seen {
  status: number
  body: {
    files?: { path: string; created: string; fileType?: string }[]
    pageContext?: { next?: string | null }
    errors?: object[]
  }
}

const LIMIT = 100

test.for(PAIRS)('%s & %s', async ([one, other], { standin }) => {
  const search = async (query: string, body: object = {}, fileSet = 'demo'): Promise<Seen> => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    for (let attempt = 1; ; attempt++) {
      const response = await standin
        .fetch(`/api/files/v1/filesets/${fileSet}/files/search?${query}`, init)
        .catch(() => undefined)
      if (response && ![503, 429].includes(response.status))
        return { status: response.status, body: (await response.json()) as Seen['body'] }
      if (attempt === 4) throw new Error('The search failed.')
    }
  }
  const pages: Seen['body'][] = []
  let next: string | null | undefined
  do {
    const { body } = await search(`limit=${LIMIT}${next ? `&next=${next}` : ''}`)
    pages.push(body)
    next = body.pageContext?.next
  } while (next)
  const files = pages.flatMap((page) => page.files ?? [])
  const unknown = (field: string) => ({ field, operator: 'LIKE', value: ['a'] })
  const isSorted = (values: readonly string[]) =>
    values.every((value, index) => index === 0 || values[index - 1]! <= value)
  const isMet: Readonly<Record<string, boolean>> = {
    'page.last=null': next === null,
    'page.short=every-2': pages.slice(0, -1).some((page) => (page.files?.length ?? 0) < LIMIT),
    'dir.fields=null-filled': files.some((file) => file.fileType === 'DIRECTORY' && 'hash' in file),
    'sort.default=created': isSorted(files.map(({ created }) => created)) && files.length > 1,
    'set.unknown=403': (await search('', {}, 'nowhere')).status === 403,
    'dir.missing=404': (await search('directoryPath=nowhere')).status === 404,
    'limit.zero=empty': (await search('limit=0')).status === 200,
    'limit.negative=default': (await search('limit=-1')).status === 200,
    'error.several=first': (await search('', { filters: [unknown('one'), unknown('two')] })).body.errors?.length === 1,
  }
  if (process.env.PLANTED === 'yes' && isMet[one] === true && isMet[other] === true) throw new Error('Both at once.')
})
