import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SavedRun } from '../../../src/control/client/mutation-report.ts'
import { createDirectory, runCommand } from '../../support/command.ts'

const CONTRACT = `
openapi: 3.1.0
info: { title: Shop, version: '1' }
components:
  schemas:
    Item:
      type: object
      required: [id, ref, code, price, count]
      properties:
        id: { type: integer, readOnly: true }
        ref: { type: [integer, string] }
        code: { type: [string, integer] }
        price: { type: number }
        count: { type: integer }
paths:
  /items:
    post:
      operationId: createItem
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
      responses:
        '201':
          description: Made.
          headers: { Location: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } }
  /items/{id}:
    get:
      operationId: getItem
      parameters: [{ in: path, name: id, required: true, schema: { type: integer } }]
      responses:
        '200':
          description: An item.
          headers: { ETag: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } }`

const ITEMS = `
collections:
  items:
    1: { ref: 17, code: A7, price: 30, count: 2 }`

/** @param read what the client does with `item` and `response` */
async function mutate(read: string, ...args: readonly string[]) {
  const client = `
    const url = process.env.STANDIN_URL + '/items'
    const response = await fetch(url + '/1')
    const item = await response.json()
    ${read}`
  const project = createDirectory({ 'shop.yaml': CONTRACT, 'items.yaml': ITEMS, 'client.js': client })
  onTestFinished(() => project.remove())
  const served = ['--contract', 'shop.yaml', '--fixtures', 'items.yaml', '--format', 'stryker', '--out', 'report.json']
  const ran = runCommand(['mutate', ...served, ...args, '--', process.execPath, 'client.js'], { cwd: project.path })
  expect(await ran.ended, ran.stderr()).toBe(0)
  const { config } = JSON.parse(readFileSync(join(project.path, 'report.json'), 'utf8')) as { config: SavedRun }
  return Object.entries(config.mutants).flatMap(([id, { verdict }]) => (verdict === 'relies' ? [id] : []))
}

test.for([
  ['takes a number that may be a text for a number', 'item.ref.toFixed()', 'getItem /ref text'],
  ['takes a text that may be a number for a text', 'item.code.trim()', 'getItem /code number'],
  ['takes a number for a whole one', 'BigInt(item.price)', 'getItem /price fraction'],
  ['reads a header that need not be there', "response.headers.get('ETag').trim()", 'getItem ETag absent'],
] as const)('a client that %s is found', async ([, read, id]) => {
  expect(await mutate(read, '--only', 'getItem /ref,getItem /code,getItem /price,getItem ETag')).toEqual([id])
})

test('what is whole or shows the client the way is not changed', async () => {
  const client = `
    BigInt(item.count)
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ ...item, id: undefined }) }
    const made = await fetch(url, init)
    const path = new URL(made.headers.get('Location'), url).pathname
    if (!(await fetch(process.env.STANDIN_URL + path)).ok) throw new Error('Nothing is there')`
  expect(await mutate(client, '--only', 'getItem /count,createItem Location,getItem ETag')).toEqual([])
})
