import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { StandinContainer, type StartedStandinContainer } from './standin-container.ts'

let standin: StartedStandinContainer
before(async () => {
  standin = await new StandinContainer().withCommand(['--seed', '7']).start()
})
after(() => standin.stop())

test('a search that is too busy is retried', async () => {
  await standin.control.armFaults({ kind: 'status', status: 503, times: 1 })
  const search = () =>
    fetch(`${standin.url}/api/files/v1/filesets/demo/files/search?limit=1`, {
      method: 'POST',
      headers: { 'X-SERVICE-Developer-Token': 'any', 'Content-Type': 'application/json' },
      body: '{}',
    })
  assert.equal((await search()).status, 503)
  assert.equal((await search()).status, 200)
})
