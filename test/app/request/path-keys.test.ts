import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createContractTester, type Json, OWN_KEY } from '../../support/contracts/small-contract.ts'

const parameter = (name: string, place: string, schema: Json = { type: 'string' }) => ({
  name,
  in: place,
  required: true,
  schema,
})

/** An operation that answers with its own name. */
const named = (name: string, ...parameters: object[]) => ({
  operationId: name,
  parameters,
  responses: { '200': { description: 'ok', content: { 'application/json': { schema: { const: name } } } } },
})

function serve(paths: Json, extra: Json = {}) {
  const { standin } = createContractTester(paths, {}, { extra })
  const ask = async (method: 'get' | 'put' | 'post', path: string, headers: Record<string, string> = {}) => {
    const response = await request(standin.app)
      [method](path)
      .set({ ...OWN_KEY, ...headers })
    return response.status === 200 ? (response.body as unknown) : response.status
  }
  return { ask, notes: standin.notes, operations: standin.operations }
}

describe('a path key with a ?query', () => {
  const PATHS = {
    '/messages': { get: named('listMessages') },
    '/messages?beta=true': { get: named('listBetaMessages', parameter('limit', 'query', { type: 'integer' })) },
    '/environments?status=open': { get: named('listEnvironments') },
    '/files?beta=true': { get: named('listFiles') },
  }

  test('is chosen by requests that have the query literally', async () => {
    const { ask, notes } = serve(PATHS)
    expect(await ask('get', '/messages')).toBe('listMessages')
    expect(await ask('get', '/messages?beta=false')).toBe('listMessages')
    expect(await ask('get', '/messages?limit=3&beta=true')).toBe('listBetaMessages')
    expect(await ask('get', '/messages?beta=true')).toBe(400)
    expect(notes).toEqual([])
  })

  test('need not be there where it only marks a preview', async () => {
    expect(await serve(PATHS).ask('get', '/files')).toBe('listFiles')
  })

  test('is unknown to requests without it, and the error names it', async () => {
    const { standin } = createContractTester(PATHS)
    const response = await request(standin.app).get('/environments').set(OWN_KEY)
    expect([response.status, (response.body as Json).detail]).toEqual([
      404,
      'There is no path /environments. Did you mean /environments?status=open?',
    ])
  })
})

describe('a path key with a #fragment', () => {
  const target = (action: string) => parameter('X-Amz-Target', 'header', { type: 'string', enum: [`Db.${action}`] })

  test('is chosen by the value of a required header', async () => {
    const { ask, notes } = serve({
      '/#X-Amz-Target=Db.Get': { post: named('getItem', target('Get')) },
      '/#X-Amz-Target=Db.Put': { post: named('putItem', target('Put')) },
    })
    expect(await ask('post', '/', { 'X-Amz-Target': 'Db.Put' })).toBe('putItem')
    expect(await ask('post', '/', { 'X-Amz-Target': 'Db.Get' })).toBe('getItem')
    expect(await ask('post', '/', { 'X-Amz-Target': 'Db.Scan' })).toBe(400)
    expect(await ask('post', '/')).toBe(400)
    expect(notes).toEqual([
      expect.stringMatching(
        /contract\.json: POST \/: no request carries the #fragment that 2 operations of this path have\./,
      ),
    ])
  })

  test('is chosen by required query parameters, and the operation that requires most comes first', async () => {
    const flag = (name: string) => parameter(name, 'query', { type: 'boolean', enum: [true] })
    const { ask } = serve({
      '/{bucket}': { put: named('createBucket', parameter('bucket', 'path')) },
      '/{bucket}#acl': { put: named('putAcl', parameter('bucket', 'path'), flag('acl')) },
      '/{bucket}#acl&id': {
        put: named('putAclOf', parameter('bucket', 'path'), flag('acl'), parameter('id', 'query')),
      },
    })
    expect(await ask('put', '/photos')).toBe('createBucket')
    expect(await ask('put', '/photos?acl=true')).toBe('putAcl')
    expect(await ask('put', '/photos?acl=true&id=7')).toBe('putAclOf')
  })

  test('is not chosen where the operation without it takes what it requires', async () => {
    const fields = parameter('fields', 'query')
    const id = parameter('id', 'path')
    const { ask } = serve({
      '/files/{id}': { get: named('getFile', id, { ...fields, required: false }) },
      '/files/{id}#get_shared_link': { get: named('getSharedLink', id, fields) },
    })
    expect(await ask('get', '/files/7')).toBe('getFile')
    expect(await ask('get', '/files/7?fields=name,size')).toBe('getFile')
  })
})

test('a path that says more of a segment comes before one that takes all of it', async () => {
  const { ask } = serve({
    '/commits/{sha}': { get: named('getCommit', parameter('sha', 'path')) },
    '/commits/{sha}.{diff}': { get: named('getDiff', parameter('sha', 'path'), parameter('diff', 'path')) },
    '/commits/latest': { get: named('getLatest') },
  })
  expect(await ask('get', '/commits/a1b2')).toBe('getCommit')
  expect(await ask('get', '/commits/a1b2.patch')).toBe('getDiff')
  expect(await ask('get', '/commits/latest')).toBe('getLatest')
})

test('servers of a path or an operation replace those of the document', async () => {
  const { ask, operations } = serve(
    {
      '/users': { get: named('listUsers') },
      '/regions': { servers: [{ url: 'https://api.example.com/v4beta' }], get: named('listRegions') },
      '/files': {
        get: named('listFiles'),
        post: {
          ...named('uploadFile'),
          servers: [{ url: 'https://upload.example.com/api/{version}/', variables: { version: { default: '2.0' } } }],
        },
      },
    },
    { servers: [{ url: 'https://api.example.com/v4' }] },
  )
  expect(await ask('get', '/v4/users')).toBe('listUsers')
  expect(await ask('get', '/v4beta/regions')).toBe('listRegions')
  expect(await ask('get', '/v4/regions')).toBe(404)
  expect(await ask('get', '/v4/files')).toBe('listFiles')
  expect(await ask('post', '/api/2.0/files')).toBe('uploadFile')
  expect(operations).toContainEqual(expect.stringMatching(/^POST \/api\/2\.0\/files +uploadFile +generated/))
})
