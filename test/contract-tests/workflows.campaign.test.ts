import { expect, test } from 'vitest'
import { createControlClient, createStandin, type StandinOptions } from '../../src/index.ts'
import { takesAll } from '../support/cases.ts'
import { runWorkflows, type WorkflowRun } from '../support/contracts/respect.ts'

/** Runs the workflows against a listening server and stops it afterwards. */
async function run(options: StandinOptions, prepare?: (url: string) => Promise<unknown>): Promise<WorkflowRun> {
  const standin = createStandin({ clock: '2026-03-05T14:30:00Z', ...options })
  const url = await standin.start()
  try {
    await prepare?.(url)
    return await runWorkflows('spec/workflows.arazzo.yaml', url)
  } finally {
    await standin.stop()
  }
}

test('the workflows pass against a server', async () => {
  const { exitCode, failures, workflows, steps } = await run({ files: 1000 })
  expect(failures).toEqual([])
  expect(exitCode).toBe(0)
  expect(workflows).toEqual({
    createSchedule: 'success',
    updateSchedule: 'success',
    walkPages: 'success',
    refuseSearches: 'success',
    refuseCreates: 'success',
    refuseUpdates: 'success',
  })
  const idsOf = (id: string) => steps.filter(({ workflowId }) => workflowId === id).map(({ stepId }) => stepId)
  expect(idsOf('walkPages')).toEqual(['page', 'page', 'page', 'page'])
  expect(idsOf('refuseSearches').length + idsOf('refuseCreates').length).toBeGreaterThan(30)
})

// That the checks above would fail: each run takes seconds, so it is one of the campaigns.
test.runIf(takesAll)('a server that is wrong in each of the workflows fails each of them', async () => {
  const wrong = { 'page.last': 'empty', 'limit.zero': 'empty', 'body.ids': 'accept', 'update.unknown-id': 'create' }
  const breakCreate = (url: string) =>
    createControlClient({ url, sandbox: 'arazzo' }).armFaults({
      kind: 'status',
      status: 200,
      body: { id: 'seven' },
      match: { operationId: 'createReportSchedule' },
      times: 1,
    })
  const { exitCode, failures } = await run({ behaviours: { ...wrong, 'update.omitted': 'clear' } }, breakCreate)
  expect(exitCode).not.toBe(0)
  expect(failures).toEqual(
    expect.arrayContaining([
      'createSchedule/createWeekly: schema check',
      "updateSchedule/changeTitle: $response.body#/schedule/daysToRun == 'MON'",
      expect.stringContaining('walkPages/page: $[?(length(@.files)'),
      'refuseSearches/limitOfZero: $statusCode == 400',
      'refuseCreates/viewBelowOne: $statusCode == 400',
      'refuseUpdates/unknownSchedule: $statusCode == 404',
    ]),
  )
})
