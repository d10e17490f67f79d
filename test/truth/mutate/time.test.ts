import { expect, onTestFinished, test } from 'vitest'
import { createDirectory, runCommand } from '../../support/command.ts'

/** A client that creates a schedule and changes nothing of it. @param then what it does with both responses, `first` and `second` */
function clientThat(then: string): string {
  return `
    const { STANDIN_URL: url, STANDIN_KEY: key } = process.env
    const headers = { 'X-SERVICE-Developer-Token': key, 'Content-Type': 'application/json' }
    const rule = { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 6, minOfHour: 0, timezone: 'Europe/London', enabled: true }
    const body = JSON.stringify({ title: 'Costs', pageId: 1, viewId: 1, schedule: { ...rule, additionalRecipients: [] } })
    const send = async (method, path) => {
      const response = await fetch(url + '/api/content/v1/reportschedules' + path, { method, headers, body })
      if (!response.ok) throw new Error(await response.text())
      return response.json()
    }
    const first = await send('POST', '')
    const second = await send('PUT', '/' + first.id)
    ${then}`
}

async function ran(client: string, only: string) {
  const project = createDirectory({ 'client.js': client })
  onTestFinished(() => project.remove())
  const args = ['mutate', '--clock', '2026-03-05T14:30:00Z', '--only', only, '--', process.execPath, 'client.js']
  const { ended, stdout, stderr } = runCommand(args, { cwd: project.path })
  return { code: await ended, out: stdout(), err: stderr() }
}

async function mutate(client: string, only: string) {
  const { code, out, err } = await ran(client, only)
  expect(code, err).toBe(0)
  return out
}

test('a schedule runs between two requests of a client that takes its next run for settled', async () => {
  const out = await mutate(
    clientThat(
      "if (first.schedule.nextRunDate !== second.schedule.nextRunDate) throw new Error('It runs at another time')",
    ),
    'createReportSchedule due',
  )
  expect(out).toContain(`Your client relies on an assumption (1)
  createReportSchedule due: After the first createReportSchedule, the clock goes on until what it made falls due, such as a run.
`)
  expect(out).toContain('showed in:   PUT /api/content/v1/reportschedules/')
  expect(out).toContain('Error: It runs at another time')
})

test('the clocks change between two requests of a client that keeps the offset of the first one', async () => {
  const client = clientThat(`
    const hourOf = ({ schedule: { nextRunDate } }) => new Date(nextRunDate).getUTCHours()
    if (hourOf(first) !== hourOf(second)) throw new Error('It runs at another hour')`)
  const out = await mutate(client, 'createReportSchedule due,createReportSchedule offset')
  expect(out).toContain(`Your client relies on an assumption (1)
  createReportSchedule offset: After the first createReportSchedule, the clock goes on past a change of the clocks in Europe/London, to 2026-03-29T01:01:00.000Z.
`)
})

test('a client that reads what it needs copes with both, and requests without a zone meet no change of the clocks', async () => {
  const out = await mutate(clientThat(''), 'createReportSchedule due,createReportSchedule offset')
  expect(out).not.toContain('relies')
  const search = `
    const headers = { 'X-SERVICE-Developer-Token': process.env.STANDIN_KEY, 'Content-Type': 'application/json' }
    for (const limit of [1, 2]) await fetch(process.env.STANDIN_URL + '/api/files/v1/filesets/demo/files/search?limit=' + limit, { method: 'POST', headers, body: '{}' })`
  const { code, err } = await ran(search, 'searchFiles offset')
  expect([code, err]).toEqual([1, expect.stringContaining('changes that these tests can meet has such a name')])
})
