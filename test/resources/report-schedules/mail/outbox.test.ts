import { afterEach, expect, test, vi } from 'vitest'
import type { ControlledTester } from '../../../support/control.ts'
import { createControlledTester } from '../../../support/control.ts'
import { type MailCatcher, startMailCatcher } from '../../../support/servers/mail-catcher.ts'
import { startComplaintsOf, weekly } from '../../../support/tester.ts'
import { withoutReplicas, withoutStore } from '../../../support/store.ts'
import { createStandin, type DeliveryRecord } from '../../../../src/index.ts'
import { longTest } from '../../../support/cases.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }
const jane = { type: 'EMAIL', value: 'jane@example.com' }
const zoë = { type: 'EMAIL', value: 'zoe@xn--exmple-cua.com' }
const user = { type: 'USER', value: '27' }

const open: { stop(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.stop()
})

async function startCatcher(...args: Parameters<typeof startMailCatcher>): Promise<MailCatcher> {
  const catcher = await startMailCatcher(...args)
  open.push(catcher)
  return catcher
}

/** A server whose only report schedule has these recipients, and sends to a mail server. */
async function createSender(
  smtp: string,
  recipients: readonly object[],
  parts: Readonly<Record<string, unknown>> = {},
): Promise<ControlledTester> {
  const tester = createControlledTester({ ...FROZEN, smtp })
  open.push(tester.standin)
  for (const { id } of (await tester.control.listReportSchedules()).reportSchedules)
    await tester.control.deleteReportSchedule(id)
  const made = await tester.create(weekly(parts, { additionalRecipients: recipients }))
  expect(made.status, made.text).toBe(200)
  return tester
}

async function mailsOf({ control }: ControlledTester): Promise<DeliveryRecord['mail'][]> {
  return (await control.listDeliveries()).deliveries.map(({ mail }) => mail)
}

async function untilMails(tester: ControlledTester, expected: unknown): Promise<void> {
  await vi.waitFor(async () => expect(await mailsOf(tester)).toEqual(expected), { timeout: 15_000, interval: 20 })
}

/** A port that no process listens on, and that the system gives to no other one meanwhile: they come from 32768 on. */
async function freePort(): Promise<number> {
  const port = 20_000 + (process.pid % 10_000)
  const { stop } = await startMailCatcher({}, port)
  await stop()
  return port
}

test('each delivery is sent as a message, dated by the clock of the sandbox', async () => {
  const catcher = await startCatcher()
  const tester = await createSender(catcher.url, [jane, zoë, user], {
    title: 'Größe – weekly',
    attachmentInclude: true,
  })
  await tester.control.advanceClock({ by: 'P7D' })
  await catcher.until(3)
  expect(catcher.messages.map(({ to }) => to)).toEqual([
    ['jane@example.com'],
    ['zoe@exämple.com'],
    ['user-27@standin.invalid'],
  ])
  const [first] = catcher.messages
  expect(first?.text).toMatch(/^Date: Mon, 09 Mar 2026 12:30:00 \+0000$/m)
  expect(first?.text).toMatch(/^Subject: =\?UTF-8\?[QB]\?/m)
  expect(first?.text).toMatch(/^X-Standin-Sandbox: default$/m)
  expect(first?.text).toMatch(/^X-Standin-Schedule: 7$/m)
  expect(first?.text).toContain('2026-03-09T08:30:00-04:00 (America/New_York)')
  expect(first?.text).toMatch(/filename=report\.csv/)
  await untilMails(tester, Array(3).fill({ status: 'sent', attempts: 1 }))
})

test('without the attachment there is none', async () => {
  const catcher = await startCatcher()
  const tester = await createSender(catcher.url, [jane], { attachmentInclude: false })
  await tester.control.advanceClock({ by: 'P14D' })
  await catcher.until(2)
  expect(catcher.messages[0]?.text).not.toContain('report.csv')
  expect(catcher.messages.map(({ text }) => /^Date: (.*)$/m.exec(text)?.[1])).toEqual([
    'Mon, 09 Mar 2026 12:30:00 +0000',
    'Mon, 16 Mar 2026 12:30:00 +0000',
  ])
})

test('each sandbox says in its messages which one it is', async () => {
  const catcher = await startCatcher()
  const tester = await createSender(catcher.url, [jane])
  await tester.control.createSandbox({ name: 'other', from: 'default' })
  await tester.control.in('other').advanceClock({ by: 'P7D' })
  await catcher.until(1)
  expect(catcher.messages[0]?.text).toMatch(/^X-Standin-Sandbox: other$/m)
})

withoutReplicas('a mail server that is down loses nothing, and fails no request', async () => {
  const port = await freePort()
  const tester = await createSender(`smtp://127.0.0.1:${port}`, [jane, user])
  expect((await tester.control.advanceClock({ by: 'P7D' })).runs).toHaveLength(1)
  await vi.waitFor(
    async () =>
      expect((await mailsOf(tester))[0]).toMatchObject({
        status: 'waiting',
        error: expect.stringContaining('ECONNREFUSED') as string,
      }),
    5000,
  )
  const catcher = await startCatcher({}, port)
  await catcher.until(2)
  await untilMails(tester, [
    { status: 'sent', attempts: expect.any(Number) as number },
    { status: 'sent', attempts: 1 },
  ])
  expect(catcher.messages).toHaveLength(2)
})

test('a message that the server rejects has failed, and the others are sent', async () => {
  const catcher = await startCatcher({
    onRcptTo({ address }, _session, done) {
      done(address === jane.value ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null)
    },
  })
  const tester = await createSender(catcher.url, [jane, user])
  await tester.control.advanceClock({ by: 'P7D' })
  await untilMails(tester, [
    { status: 'failed', attempts: 1, error: expect.stringContaining('no such mailbox') as string },
    { status: 'sent', attempts: 1 },
  ])
})

test('a message that the server rejects for now does not keep the others waiting', async () => {
  let refusals = 0
  const catcher = await startCatcher({
    onRcptTo({ address }, _session, done) {
      const isRefused = address === jane.value && refusals++ === 0
      done(isRefused ? Object.assign(new Error('try again'), { responseCode: 450 }) : null)
    },
  })
  const tester = await createSender(catcher.url, [jane, user])
  await tester.control.advanceClock({ by: 'P7D' })
  await catcher.until(2)
  expect(catcher.messages.map(({ to }) => to[0])).toEqual(['user-27@standin.invalid', jane.value])
  await untilMails(tester, [
    { status: 'sent', attempts: 2 },
    { status: 'sent', attempts: 1 },
  ])
})

test('a server that asks for a password gets it', async () => {
  const catcher = await startCatcher({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === 'me' && password === 'p@ss') done(null, { user: 'me' })
      else done(new Error('wrong password'))
    },
  })
  const tester = await createSender(catcher.url.replace('//', '//me:p%40ss@'), [jane])
  await tester.control.advanceClock({ by: 'P7D' })
  await catcher.until(1)
})

test('an address never becomes two, nor a command', async () => {
  const catcher = await startCatcher()
  const behaviours = { 'recipient.email': 'none' }
  const tester = createControlledTester({ ...FROZEN, smtp: catcher.url, behaviours })
  open.push(tester.standin)
  const made = await tester.create(
    weekly(
      { title: 'a\r\nBcc: eve@example.com' },
      { additionalRecipients: [{ type: 'EMAIL', value: 'a@x.test,eve@x.test' }, jane] },
    ),
  )
  expect(made.status, made.text).toBe(200)
  await tester.control.advanceClock({ by: 'P7D' })
  await catcher.until(1)
  const isDone = async () => expect((await mailsOf(tester)).every((mail) => mail?.status !== 'waiting')).toBe(true)
  await vi.waitFor(isDone, { timeout: 15_000, interval: 20 })
  expect(catcher.messages.flatMap(({ to }) => to)).not.toContain('eve@x.test')
  expect(catcher.messages.flatMap(({ to }) => to)).not.toContain('eve@example.com')
  for (const { text } of catcher.messages) expect(text.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/m)
})

withoutStore('a stop lets what waits go out first, and does not wait for a server that is down', async () => {
  const catcher = await startCatcher()
  const up = await createSender(catcher.url, [jane, user])
  await up.control.advanceClock({ by: 'P28D' })
  await up.standin.stop()
  expect(catcher.messages).toHaveLength(8)

  const down = await createSender(`smtp://127.0.0.1:${await freePort()}`, [jane])
  await down.control.advanceClock({ by: 'P7D' })
  await vi.waitFor(async () => expect((await mailsOf(down))[0]?.attempts).toBe(1))
  const began = performance.now()
  await down.standin.stop()
  expect(performance.now() - began).toBeLessThan(1000)
  expect((await mailsOf(down))[0]?.status).toBe('waiting')
})

longTest('of more deliveries than can wait the last ones fail without an attempt', async () => {
  const recipients = Array.from({ length: 1000 }, (_, index) => ({ type: 'USER', value: String(index) }))
  const tester = await createSender(`smtp://127.0.0.1:${await freePort()}`, recipients)
  await tester.control.advanceClock({ by: `P${7 * 101}D` })
  const { deliveries } = await tester.control.listDeliveries({ limit: 1 })
  expect(deliveries.map(({ mail }) => mail)).toEqual([
    { status: 'failed', attempts: 0, error: '100,000 messages are already waiting' },
  ])
})

test('without a mail server nothing is said of mail', async () => {
  const tester = createControlledTester(FROZEN)
  await tester.create(weekly({}, { additionalRecipients: [jane] }))
  await tester.control.advanceClock({ by: 'P7D' })
  expect((await tester.control.listDeliveries()).deliveries.every((delivery) => !('mail' in delivery))).toBe(true)
})

test.for(['http://127.0.0.1', 'smtp://', '127.0.0.1:25', 'smtp://me:secret@h/path', 7])(
  '%s is no mail server',
  (smtp) => {
    const complaints = startComplaintsOf(() => createStandin({ smtp: smtp as string }))
    expect(complaints).toEqual([expect.stringMatching(/^options\.smtp: Expected the address of a mail catcher/)])
    expect(complaints[0]).not.toContain('secret')
  },
)
