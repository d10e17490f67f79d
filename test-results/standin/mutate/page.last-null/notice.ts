import assert from 'node:assert/strict'
import test from 'node:test'
import { useStandin } from 'standin/node-test'

test('/work/wt28/scripts/node/node_modules/node/bin/node --input-type=module -e \n  const headers = { \'X-SERVICE-Developer-Token\': \'any\', \'Content-Type\': \'application/json\' }\n  const init = { method: \'POST\', headers, body: \'{}\' }\n  const page = await fetch(process.env.STANDIN_URL + \'/api/files/v1/filesets/demo/files/search?limit=2000\', init)\n  process.exitCode = \'next\' in (await page.json()).pageContext ? 1 : 0: page.last=null', async (t) => {
  const standin = await useStandin(t, { clock: '2026-11-27T00:00:00.000Z' })
  const { control } = standin
  await control.putBehaviours({ 'page.last': 'null' })
  // Here do what '/work/wt28/scripts/node/node_modules/node/bin/node --input-type=module -e \n  const headers = { \'X-SERVICE-Developer-Token\': \'any\', \'Content-Type\': \'application/json\' }\n  const init = { method: \'POST\', headers, body: \'{}\' }\n  const page = await fetch(process.env.STANDIN_URL + \'/api/files/v1/filesets/demo/files/search?limit=2000\', init)\n  process.exitCode = \'next\' in (await page.json()).pageContext ? 1 : 0' does.
})
