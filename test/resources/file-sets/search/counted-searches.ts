/** Counts the work of searches and prints it: the other half of `prepared-listings.test.ts`. */
import { startCounting } from '../../../../bench/work.ts'

const count = startCounting()
const { createSubject } = await import('../../../../bench/subject.ts')

const subject = createSubject(1_000)
const page = { limit: 10, fieldSort: [{ field: 'created', order: 'ASC' }] } as const
const rare = { ...page, filters: [{ field: 'name', operator: 'LIKE', value: ['2024-11'], not: false }] }
const steps = (run: () => void) => count(run).steps

subject.page(page)
subject.page(rare)
subject.page({ ...rare, limit: 1 })
const unfiltered = steps(() => void subject.page(page))
const repeated = steps(() => void subject.page(rare))
const since = (day: number) => [
  { field: 'created', start: `2024-01-0${day}T00:00:00.000Z`, end: '2099-01-01T00:00:00.000Z', not: false },
]
subject.page({ ...rare, dateFilters: since(1) })
const renewed = steps(() => void subject.page({ ...rare, dateFilters: since(2) }))
const { next } = subject.page({ ...rare, limit: 3 })
const nextPage = steps(() => void subject.page(rare, next))
subject.add('added/2024-11.txt')
const changed = steps(() => void subject.page(rare))
console.log(JSON.stringify({ unfiltered, repeated, renewed, nextPage, changed }))
