import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SavedRun } from '../../../src/control/client/mutation-report.ts'
import { createDirectory, runCommand } from '../../support/command.ts'

const CONTRACT = `
openapi: 3.1.0
info: { title: Notes, version: '1' }
components:
  schemas:
    Note: { type: object, required: [text], properties: { id: { type: integer, readOnly: true }, text: { type: string } } }
paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [{ in: query, name: limit, schema: { type: integer } }, { in: query, name: after, schema: { type: string } }]
      responses:
        '200':
          description: A page.
          headers: { Link: { schema: { type: string } } }
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } }
    post:
      operationId: createNote
      parameters: [{ in: header, name: Idempotency-Key, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses: { '201': { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } }`

async function mutate(client: string, ...args: readonly string[]) {
  const project = createDirectory({ 'notes.yaml': CONTRACT, 'client.js': client })
  onTestFinished(() => project.remove())
  const served = ['--contract', 'notes.yaml', '--format', 'stryker', '--out', 'report.json']
  const ran = runCommand(['mutate', ...served, ...args, '--', process.execPath, 'client.js'], { cwd: project.path })
  expect(await ran.ended, ran.stderr()).toBe(0)
  const { config } = JSON.parse(readFileSync(join(project.path, 'report.json'), 'utf8')) as { config: SavedRun }
  return config.mutants
}

/** Creates a note. @param headers as code @param onFailure what it does when there is no response, given `send` */
const create = (headers: string, onFailure: string) => `
  const url = process.env.STANDIN_URL + '/notes'
  const headers = { 'Content-Type': 'application/json', ${headers} }
  const send = () => fetch(url, { method: 'POST', headers, body: '{"text":"of this test"}' })
  const response = await send().catch((error) => { ${onFailure} })
  if (!response.ok) throw new Error('Refused')
  const notes = await (await fetch(url)).json()
  if (notes.filter(({ text }) => text === 'of this test').length !== 1) throw new Error('There are two')`

test.for([
  ['gives up a create without a key', '', 'throw error', 'noticed'],
  ['gives up although a key makes it safe to try again', "'Idempotency-Key': 'one'", 'throw error', 'relies'],
] as const)('a client that %s when there is no response', async ([, headers, onFailure, verdict]) => {
  const mutants = await mutate(create(headers, onFailure), '--only', 'createNote lost,createNote reset')
  expect(Object.entries(mutants).map(([id, { verdict }]) => [id, verdict])).toEqual([
    ['createNote reset', verdict],
    ['createNote lost', verdict],
  ])
})

test('a client that sends a create without a key again relies on that it was not stored', async () => {
  const only = ['--only', 'createNote lost']
  expect(await mutate(create('', 'return send()'), ...only)).toMatchObject({ 'createNote lost': { verdict: 'relies' } })
  const found = await mutate(create('', 'throw error'), '--faults', '20', '--only', 'createNote lost,createNote reset')
  expect(found).toEqual({})
})

test('nor is it an assumption that a create was lost once a refusal of it was over', async () => {
  // It waits by the clock of the sandbox.
  const client = `
    const url = process.env.STANDIN_URL
    const headers = { 'Content-Type': 'application/json' }
    const post = (path, body) => fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const send = () => post('/notes', { text: 'of this test' })
    const pause = () => post('/__mock/clock/advance', { by: 'PT1S' })
    let response = await send()
    for (let left = 3; left > 0 && [503, 429].includes(response.status); left--) response = await pause().then(send)
    if (!response.ok) throw new Error('Refused')`
  const refused = ['lost', '504', '503', '429', 'reset'].map((name) => `createNote ${name}`)
  expect(await mutate(client, '--faults', '12', '--only', refused.join())).toEqual({})
})

test('the address of the server of a run is no difference', async () => {
  const client = `
    const first = await fetch(process.env.STANDIN_URL + '/notes?limit=2')
    if (!first.headers.get('link').includes('after=')) throw new Error('No link')
    const [{ id }] = await first.json()
    await fetch(process.env.STANDIN_URL + '/notes?limit=2&after=' + id)`
  const mutants = await mutate(client, '--only', 'listNotes /*/text other')
  expect(mutants['listNotes /*/text other']?.outcomes[0]?.difference?.place).toBe('/0/text')
})
