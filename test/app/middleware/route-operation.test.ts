import request from 'supertest'
import { expect, test } from 'vitest'
import { createContractTester, OWN_KEY } from '../../support/contracts/small-contract.ts'

const OK = { responses: { '200': { description: 'ok' } } }

test('Allow lists OPTIONS once, also for a path whose contract documents it', async () => {
  const { standin } = createContractTester({ '/things': { get: OK, options: OK } })
  const refused = await request(standin.app).put('/things').set(OWN_KEY)
  expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, OPTIONS'])
  expect((refused.body as { detail: string }).detail).toBe('PUT is not allowed on /things. Allowed: GET, OPTIONS.')
})
