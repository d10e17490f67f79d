/** Counts the work of searches and prints it: the other half of `prepared-listings.test.ts`. */
import { startCounting } from '../../bench/work.ts'

const count = startCounting()
const { createSubject } = await import('../../bench/subject.ts')

const subject = createSubject(1_000)
const page = { limit: 10, fieldSort: [{ field: 'created', order: 'ASC' }] } as const
const rare = { ...page, filters: [{ field: 'name', operator: 'LIKE', value: ['2024-11'], not: false }] }
const steps = (run: () => void) => count(run).steps

subject.page(page)
subject.page(rare)
subject.page({ ...rare, limit: 1 })
const unfiltered = steps(() => void subject.page(page))
const repeated = steps(() => void subject.page(rare))
const { next } = subject.page({ ...rare, limit: 3 })
const nextPage = steps(() => void subject.page(rare, next))
subject.add('added/2024-11.txt')
const changed = steps(() => void subject.page(rare))
console.log(JSON.stringify({ unfiltered, repeated, nextPage, changed }))
