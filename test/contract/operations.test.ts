import request from 'supertest'
import { expect } from 'vitest'
import { heapMiB } from '../support/heap.ts'
import { createContractTester, OWN_KEY } from '../support/contracts/small-contract.ts'
import { longTest } from '../support/cases.ts'

longTest(
  'media types that clients make up are not kept',
  async () => {
    const content = { 'text/*': { schema: { type: 'string' } } }
    const post = { requestBody: { content }, responses: { '200': { description: 'ok' } } }
    const { standin } = createContractTester({ '/notes': { post } })
    const url = await standin.start()
    const send = async (count: number) => {
      for (let number = 0; number < count; number++) {
        const type = `text/x-${number}-${'x'.repeat(60_000)}`
        const { status } = await request(url).post('/notes').set(OWN_KEY).type(type).send('hello')
        expect(status).toBe(200)
      }
    }
    await send(400)
    const before = heapMiB()
    await send(800)
    await standin.stop()
    expect(heapMiB() - before).toBeLessThan(5)
  },
  60_000,
)
