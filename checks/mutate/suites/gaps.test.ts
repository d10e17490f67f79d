// A client that reads forty values, of which its test looks at twenty.
import { expect } from 'vitest'
import { test } from '../../../src/testing/vitest.ts'
import { LOOKED_AT, STATUS } from '../status.ts'

test('shows the status of the service', async ({ standin }) => {
  const status = (await (await standin.fetch('/status')).json()) as typeof STATUS
  for (const [index, area] of status.areas.entries())
    for (const name of LOOKED_AT) expect(area[name], name).toEqual(STATUS.areas[index]![name])
  for (const name of LOOKED_AT) expect(status.summary[name], name).toEqual(STATUS.summary[name])
})
