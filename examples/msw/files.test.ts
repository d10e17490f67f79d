import { setupServer } from 'msw/node'
import { handlersOf } from 'standin/msw'
import { test as base } from 'standin/vitest'
import { afterAll, beforeAll, expect } from 'vitest'
import { renderFileList } from './file-list.ts'

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

/** Every test has the stand-in, in a sandbox of its own. */
const test = base.extend('intercepted', { auto: true }, async ({ standin }) => {
  server.resetHandlers(...(await handlersOf(standin, { baseUrl: 'https://api.example.com' })))
})

test('shows a file that this test adds', async ({ control }) => {
  await control.addFiles('demo', [{ path: 'budget-of-this-test.xlsx' }])
  expect(await renderFileList('budget')).toContain('<li>budget-of-this-test.xlsx</li>')
})

test('shows an alert when the connection breaks, and loads the files again', async ({ control }) => {
  await control.armFaults({ kind: 'reset', times: 1 })
  expect(await renderFileList('budget')).toContain('role="alert"')
  expect(await renderFileList('budget')).toContain('<h2>12 files</h2>')
  await expect(control).toHaveVerified({ match: { operationId: 'searchFiles' }, exactly: 2 })
})
