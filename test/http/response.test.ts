import { expect, test } from 'vitest'
import { createControlledTester } from '../support/control.ts'

test('a header whose value is the name of another one stays as it is', async () => {
  const behaviours = { cors: 'off', 'http.compression': 'gzip' }
  const { control, search } = createControlledTester({ behaviours })
  await control.armFaults({ kind: 'status', status: 200, headers: { 'x-note': 'vary', 'x-last': 'yes' }, body: {} })
  const { status, headers } = await search()
  expect(status).toBe(200)
  expect(headers).toMatchObject({ 'x-note': 'vary', 'x-last': 'yes', vary: 'Accept-Encoding' })
})
