import express from 'express'
import request from 'supertest'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createStandin } from '../../../src/index.ts'
import { createDirectory } from '../../support/command.ts'

interface Document {
  readonly servers: readonly { url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, { servers?: readonly { url: string }[] }>>>>
}

const OWN = `
openapi: 3.0.3
info: { title: Two servers, version: '1' }
servers: [{ url: 'https://api.example.com/v2' }, { url: 'https://eu.example.com/v2' }]
paths:
  /items: { get: { operationId: items, responses: { '200': { description: 'one: #1' } } } }
  /old:
    servers: [{ url: 'https://old.example.com' }]
    get: { operationId: old, responses: { '200': { description: ok } } }
`

test('JSON and YAML are the same document', async () => {
  const { app } = createStandin({ contract: 'examples/shop/contract.yaml' })
  const json = await request(app).get('/openapi.json').set('Host', 'localhost')
  const yaml = await request(app).get('/openapi.yaml').set('Host', 'localhost').responseType('blob')
  expect([json.type, yaml.type]).toEqual(['application/json', 'application/yaml'])
  expect(parse(String(yaml.body))).toEqual(json.body)
})

test('tools that read it call the stand-in, under the base path of the contract', async () => {
  const directory = createDirectory({ 'own.yaml': OWN })
  const { app } = createStandin({ contract: `${directory.path}/own.yaml` })
  const answer = await request(express().use('/mock', app)).get('/mock/openapi.json').set('Host', 'localhost:5000')
  const { servers, paths } = answer.body as Document
  expect(servers.map(({ url }) => url)).toEqual(['http://localhost:5000/mock/v2'])
  expect(paths['/old']).not.toHaveProperty('servers')
  expect(paths['/old']?.get?.servers).toEqual([{ url: 'http://localhost:5000/mock' }])
  expect((await request(app).get('/v2/items')).status).toBe(200)
  expect((await request(app).get('/old')).status).toBe(200)
})

test('overlays are in it', async () => {
  const overlay = {
    overlay: '1.0.0',
    info: { title: 'x', version: '1' },
    actions: [{ target: '$.info', update: { title: 'Changed' } }],
  }
  const { app } = createStandin({ contract: 'examples/shop/contract.yaml', overlay })
  expect((await request(app).get('/openapi.json')).body).toMatchObject({ info: { title: 'Changed' } })
})

test('the control API serves the contract too, and its own', async () => {
  const { app } = createStandin()
  const answer = await request(app).get('/__mock/openapi.json').set('Host', 'localhost')
  expect(answer.body).toEqual((await request(app).get('/openapi.json').set('Host', 'localhost')).body)
  const own = await request(app).get('/__mock/control.openapi.json').set('Host', 'localhost')
  expect((own.body as Document).servers[0]?.url).toBe('http://localhost/__mock')
  const yaml = await request(app).get('/__mock/control.openapi.yaml').set('Host', 'localhost').responseType('blob')
  expect(parse(String(yaml.body))).toEqual(own.body)
})

test('the guard of the control API holds for the contract there', async () => {
  const { app } = createStandin({ controlToken: 'a-long-secret-token' })
  expect((await request(app).get('/__mock/openapi.json')).status).toBe(401)
  expect(
    (await request(app).get('/__mock/openapi.json').set('Authorization', 'Bearer a-long-secret-token')).status,
  ).toBe(200)
})

test('where the control API is off the contract is still there', async () => {
  const { app } = createStandin({ control: false })
  expect((await request(app).get('/openapi.yaml')).status).toBe(200)
  expect((await request(app).get('/__mock/openapi.yaml')).status).toBe(404)
})
