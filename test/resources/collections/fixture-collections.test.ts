import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createReloadableStandin } from '../../../src/app/setup/create-standin.ts'
import { createConfig } from '../../../src/config/create-config.ts'
import { createStandin, defineOperation, type StandinOptions } from '../../../src/index.ts'
import { createDirectory } from '../../support/command.ts'
import { inPath, nothing, ref, shows, takes } from '../../support/contracts/pets.ts'
import { contractOf, OWN_KEY } from '../../support/contracts/small-contract.ts'
import { startComplaintsOf } from '../../support/tester.ts'

type Json = Readonly<Record<string, unknown>>

const POST = {
  type: 'object',
  required: ['id', 'title', 'status', 'created_at', 'author'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: '^pst_[a-z0-9]{10}$', readOnly: true },
    title: { type: 'string', minLength: 1 },
    status: { type: 'string', enum: ['draft', 'published'] },
    rank: { type: 'integer' },
    author: {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
    },
    created_at: { type: 'string', format: 'date-time', readOnly: true },
  },
}
const COMMENT = {
  type: 'object',
  required: ['id', 'text'],
  properties: { id: { type: 'integer', readOnly: true }, post_id: { type: 'string' }, text: { type: 'string' } },
}
const SUMMARY = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: 'string' }, title: { type: 'string' }, rank: { type: 'integer', maximum: 5 } },
}
const post = { ...inPath('postId'), schema: { type: 'string' } }
const PATHS = {
  '/posts': {
    get: { operationId: 'listPosts', responses: { 200: shows({ type: 'array', items: ref('Summary') }) } },
    post: { operationId: 'createPost', requestBody: takes(ref('Post')), responses: { 201: shows(ref('Post')) } },
  },
  '/posts/{postId}': {
    parameters: [post],
    get: { operationId: 'readPost', responses: { 200: shows(ref('Post')), 404: nothing } },
  },
  '/posts/{postId}/comments': {
    parameters: [post],
    get: { operationId: 'listComments', responses: { 200: shows({ type: 'array', items: ref('Comment') }) } },
    post: { operationId: 'addComment', requestBody: takes(ref('Comment')), responses: { 201: shows(ref('Comment')) } },
  },
}
const ANY = expect.any(String) as unknown

const createBlog = () => contractOf(PATHS, { Post: POST, Comment: COMMENT, Summary: SUMMARY })

/** A blog whose fixture is this file. */
function start(fixture: string, options: StandinOptions = {}) {
  const directory = createDirectory({ 'posts.yaml': fixture })
  onTestFinished(directory.remove)
  const fixtures = [join(directory.path, 'posts.yaml')]
  return createStandin({ contract: createBlog(), fixtures, clock: '2026-03-05T14:30:00Z', ...options })
}

/** The complaints of a start, without the folder of the file. */
const complaintsOf = (fixture: string) =>
  startComplaintsOf(() => start(fixture)).map((one) => one.replace(/^\S*\/posts\.yaml/, 'posts.yaml'))

async function read(app: ReturnType<typeof start>['app'], path: string): Promise<unknown> {
  return (await request(app).get(path).set(OWN_KEY)).body
}

describe('a document of a fixture', () => {
  test('gets what it lacks of its schema, also in its objects', async () => {
    const { app } = start(`
collections:
  posts:
    pst_aaaaaaaaaa: { title: Hello, status: draft, author: { name: Ada } }
`)
    expect(await read(app, '/posts/pst_aaaaaaaaaa')).toMatchObject({
      id: 'pst_aaaaaaaaaa',
      title: 'Hello',
      status: 'draft',
      author: { id: expect.any(Number) as unknown, name: 'Ada' },
      created_at: ANY,
    })
    expect(await read(app, '/posts')).toContainEqual(expect.objectContaining({ id: 'pst_aaaaaaaaaa', title: 'Hello' }))
  })

  test.each([
    [
      'a value that its schema does not allow',
      'pst_aaaaaaaaaa:\n      title: Hello\n      status: drafty',
      'posts.yaml:6: /collections/posts/pst_aaaaaaaaaa/status: expected one of draft, published, got "drafty". Did you mean draft? Change it, or remove it.',
    ],
    [
      'a value that another response cannot show',
      'pst_aaaaaaaaaa: { title: Hello, rank: 6 }',
      'posts.yaml:4: /collections/posts/pst_aaaaaaaaaa/rank: expected at most 5, got 6. Change it, or remove it.',
    ],
    [
      'a member that its schema does not have',
      'pst_aaaaaaaaaa: { titel: Hello }',
      'posts.yaml:4: /collections/posts/pst_aaaaaaaaaa/titel',
    ],
    [
      'a value of another type in an object',
      'pst_aaaaaaaaaa: { author: { id: one } }',
      'posts.yaml:4: /collections/posts/pst_aaaaaaaaaa/author/id: expected an integer, got "one".',
    ],
    [
      'a key that is no id',
      'bad: { title: Hello }',
      'posts.yaml:4: /collections/posts/bad/id: expected a text that matches ^pst_[a-z0-9]{10}$, got "bad".',
    ],
    [
      'another id than its key',
      'pst_aaaaaaaaaa: { id: pst_bbbbbbbbbb }',
      'posts.yaml:4: /collections/posts/pst_aaaaaaaaaa/id: expected "pst_aaaaaaaaaa", as its key, got "pst_bbbbbbbbbb".',
    ],
  ])('is refused at the start with %s', (_, documents, complaint) => {
    expect(complaintsOf(`\ncollections:\n  posts:\n    ${documents}\n`)).toEqual([expect.stringContaining(complaint)])
  })

  test('of a list is found by its place, and no two have one id', () => {
    const complaints = complaintsOf(`
collections:
  posts:
    - { id: pst_aaaaaaaaaa, title: One }
    - { id: pst_bbbbbbbbbb, title: '' }
    - { id: pst_aaaaaaaaaa, title: Three }
`)
    expect(complaints).toEqual([
      expect.stringContaining('posts.yaml:5: /collections/posts/1/title: expected '),
      'posts.yaml:6: /collections/posts/2/id: expected an id that no other document of the list has, got "pst_aaaaaaaaaa". Change it, or remove one.',
    ])
  })

  test('belongs to a parent that exists', async () => {
    const comments = (parent: string) => `
collections:
  posts: { pst_aaaaaaaaaa: { title: Hello } }
  ${parent}: { 7: { text: First } }
`
    const { app } = start(comments('posts/pst_aaaaaaaaaa/comments'))
    expect(await read(app, '/posts/pst_aaaaaaaaaa/comments')).toContainEqual({
      id: 7,
      text: 'First',
      post_id: 'pst_aaaaaaaaaa',
    })
    expect(complaintsOf(comments('posts/pst_cccccccccc/comments'))).toEqual([
      'posts.yaml:4: /collections/posts~1pst_cccccccccc~1comments: There is no post pst_cccccccccc for these documents to belong to. Add it to posts, or name another.',
    ])
  })
})

test('the mistakes of fixtures come in the order of the file', () => {
  const documents = ['rank: 9', 'rank: x', 'title: ""'].map((one, at) => `    pst_aaaaaaaaa${at}: { ${one} }`)
  const lines = complaintsOf(`comments: 3\ncollections:\n  posts:\n${documents.join('\n')}\n`)
  const numbers = lines.map((one) => Number(/^posts\.yaml:(\d+)/.exec(one)?.[1]))
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(new Set(numbers)).toEqual(new Set([1, 4, 5, 6]))
})

describe('a collection of a fixture', () => {
  const NOTES = 'collections:\n  postz: { 1: { text: Hi } }\n'

  test('is one of the contract', () => {
    expect(complaintsOf(NOTES)).toEqual([
      'posts.yaml:2: /collections/postz: The contract has no collection "postz". Did you mean posts? Rename it, or remove it.',
    ])
    expect(complaintsOf('collections: { words: {} }')).toEqual([
      'posts.yaml:1: /collections/words: The contract has no collection "words". It has posts, posts/{postId}/comments. Rename it, or remove it.',
    ])
  })

  test('may have any name where handlers keep documents', async () => {
    const handlers = [
      defineOperation('listPosts', (state) => ({ status: 200, body: state.collection('postz').list() })),
    ]
    const { app } = start(NOTES.replace('text: Hi', 'id: pst_a, title: Hi'), { handlers })
    expect(await read(app, '/posts')).toEqual([{ id: 'pst_a', title: 'Hi' }])
  })
})

test('a fixture that is changed while the server runs is refused with its mistakes, and the one before stays', async () => {
  const directory = createDirectory({ 'posts.yaml': 'collections: { posts: [{ id: pst_aaaaaaaaaa, title: One }] }' })
  onTestFinished(directory.remove)
  const [file, contract] = [join(directory.path, 'posts.yaml'), createBlog()]
  const values = { contract, fixtures: file, watch: true, log: 'silent', port: 0 } as Json
  const config = createConfig([{ nameOf: (name) => name, values }])
  const standin = createReloadableStandin(config)
  writeFileSync(`${file}.new`, 'collections: { posts: [{ id: pst_aaaaaaaaaa, title: One, status: lost }] }')
  renameSync(`${file}.new`, file)
  expect(startComplaintsOf(() => standin.reload(config))).toEqual([
    expect.stringMatching(
      /posts\.yaml:1: \/collections\/posts\/0\/status: expected one of draft, published, got "lost"/,
    ),
  ])
  expect(await read(standin.app, '/posts')).toMatchObject([{ id: 'pst_aaaaaaaaaa', title: 'One' }])
})
