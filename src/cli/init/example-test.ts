import type { Standin } from '../../app/standin.ts'

/** What an example shows: a fixture, and a test that passes with it. */
export interface ExampleTest {
  readonly fixture: object
  readonly title: string
  /** Lines of code; a pair is an assertion that both are equal. */
  readonly code: readonly (string | readonly [received: string, expected: string])[]
}

/** An example for a contract. */
export async function exampleFor(standin: Standin): Promise<ExampleTest> {
  const { collections } = await standin.control.listCollections()
  const [first] = collections.filter(({ path, isSingleton }) => !path.includes('{') && !isSingleton)
  const { documents = [] } = first ? await standin.control.listDocuments(first.name, { limit: 1 }) : {}
  const stored = Object.fromEntries(documents.map(({ id, document }) => [id, document]))
  return { fixture: { collections: first ? { [first.name]: stored } : {} }, ...(await firstRequest(standin)) }
}

/** A test of the first operation that a path alone is enough for. */
async function firstRequest(standin: Standin): Promise<Omit<ExampleTest, 'fixture'>> {
  const { operations } = await standin.control.getInfo()
  for (const { method, path, basePath = '', operationId, keyHeaders } of operations) {
    if (method !== 'GET' || path.includes('{')) continue
    const headers = Object.fromEntries(
      Object.entries(keyHeaders).map(([name, value]) => [name, value.replace('{key}', 'any')]),
    )
    const { status } = await standin.fetch(basePath + path, { headers })
    if (status !== 200) continue
    const options = Object.keys(headers).length === 0 ? '' : `, { headers: ${JSON.stringify(headers)} }`
    return {
      title: `${operationId} responds`,
      code: [`const response = await standin.fetch('${basePath}${path}'${options})`, ['response.status', '200']],
    }
  }
  return {
    title: 'the contract is served',
    code: [['(await standin.control.getInfo()).operations.length', String(operations.length)]],
  }
}

/** For the built-in contract. */
export const PACKAGED: ExampleTest = {
  fixture: {
    fileSets: [
      { id: 'finance', files: [{ path: 'reports/2026/q1.pdf', size: 48_213, created: '2026-01-31T09:00:00.000Z' }] },
    ],
    reportSchedules: [
      {
        title: 'Weekly finance report',
        pageId: 100,
        viewId: 200,
        schedule: { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 8, minOfHour: 0, timezone: 'Europe/London' },
      },
    ],
  },
  title: 'a search finds the report, and two weeks later the schedule has run twice',
  code: [
    `const response = await standin.fetch('/api/files/v1/filesets/finance/files/search', {`,
    `  method: 'POST',`,
    `  headers: { 'X-SERVICE-Developer-Token': 'any', 'Content-Type': 'application/json' },`,
    `  body: JSON.stringify({ filters: [{ field: 'name', operator: 'LIKE', value: ['q1'] }] }),`,
    `})`,
    `const { files } = await response.json()`,
    ['files[0].path', `'reports/2026/q1.pdf'`],
    `const { runs } = await standin.control.advanceClock({ by: 'P14D' })`,
    [`runs.filter(({ title }) => title === 'Weekly finance report').length`, '2'],
  ],
}
