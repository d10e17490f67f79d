import { createHmac } from 'node:crypto'
import request from 'supertest'
import { expect } from 'vitest'
import { describeBehaviour, type BehaviourTest } from '../support/describe-behaviour.ts'
import { ORDERS, startReceiver } from '../support/servers/webhook-receiver.ts'

const options = { clock: '2026-03-01T09:00:00Z', contract: ORDERS }

type Tester = Parameters<BehaviourTest>[0]

/** Creates two orders, and gives what the receiver got. */
async function receive({ standin: { app, control } }: Tester, status?: (number: number) => number) {
  const receiver = await startReceiver(status)
  await control.setWebhookTarget({ url: receiver.url })
  for (const number of [1, 2]) {
    await request(app).post('/orders').send({ number })
    await control.listWebhooks()
  }
  const numbers = () => receiver.bodies().map((body) => body.number)
  const after = async (by: string) => {
    await control.advanceClock({ by })
    await control.listWebhooks()
    return numbers()
  }
  return { ...receiver, numbers, after, secret: (await control.listWebhooks()).secret }
}

/** Whether the first message is signed with the secret, as Standard Webhooks says. */
function isSigned({ received, secret }: Awaited<ReturnType<typeof receive>>): boolean {
  const [first] = received
  if (!first) return false
  const { body, headers } = first
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

describeBehaviour(
  'webhooks.delivery',
  {
    once: async (tester) => {
      const sent = await receive(tester)
      expect(sent.numbers()).toEqual([1, 2])
      expect(await sent.after('P3D')).toEqual([1, 2])
    },
    twice: async (tester) => {
      const sent = await receive(tester)
      expect(sent.numbers()).toEqual([1, 1, 2, 2])
      expect(new Set(sent.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
    },
    late: async (tester) => {
      const sent = await receive(tester)
      expect(await sent.after('PT59M')).toEqual([])
      expect(await sent.after('PT1M')).toEqual([1, 2])
    },
    swapped: async (tester) => {
      expect((await receive(tester)).numbers()).toEqual([2, 1])
    },
    never: async (tester) => {
      expect(await (await receive(tester)).after('P3D')).toEqual([])
    },
    'wrong-signature': async (tester) => {
      const sent = await receive(tester)
      expect(sent.numbers()).toEqual([1, 2])
      expect(isSigned(sent)).toBe(false)
    },
  },
  options,
)

describeBehaviour(
  'webhooks.signature',
  {
    'standard-webhooks': async (tester) => {
      expect(isSigned(await receive(tester))).toBe(true)
    },
    hub: async (tester) => {
      const { received, secret } = await receive(tester)
      const [first] = received
      const signature = createHmac('sha256', secret)
        .update(first?.body ?? '')
        .digest('hex')
      expect(first?.headers['x-hub-signature-256']).toBe(`sha256=${signature}`)
    },
    none: async (tester) => {
      const [first] = (await receive(tester)).received
      expect(Object.keys(first?.headers ?? {}).filter((name) => /signature|^webhook-/.test(name))).toEqual([])
    },
  },
  options,
)

describeBehaviour(
  'webhooks.retry',
  {
    backoff: async (tester) => {
      const sent = await receive(tester, (number) => (number < 3 ? 500 : 200))
      expect(await sent.after('PT5S')).toEqual([1, 2, 1, 2])
    },
    never: async (tester) => {
      const sent = await receive(tester, () => 500)
      expect(await sent.after('P3D')).toEqual([1, 2])
    },
  },
  options,
)
