import { setupServer } from 'msw/node'
import { handlersOf } from 'standin/msw'
import { test } from 'standin/vitest'
import { afterAll, beforeAll, expect } from 'vitest'
import { renderFileList } from './file-list.ts'

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

test('shows the budgets', async ({ standin }) => {
  server.use(...(await handlersOf(standin, { baseUrl: 'https://api.example.com' })))
  expect(await renderFileList('budget')).toContain('<h2>12 files</h2>')
})
