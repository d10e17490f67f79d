import { expect, onTestFinished, test } from 'vitest'
import { createDirectory, runCommand } from '../../support/command.ts'

/** @param next the schema of the token */
const contractWith = (next: string) => `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - { in: query, name: limit, schema: { type: integer } }
        - { in: query, name: cursor, schema: { type: string } }
      responses:
        '200':
          description: A page.
          content:
            application/json:
              schema:
                type: object
                required: [notes]
                properties:
                  notes: { type: array, items: { type: object, properties: { id: { type: integer } } } }
                  next: ${next}`

/** @param goesOn whether there is a further page, by its token `next` */
const clientThat = (goesOn: string) => `
  let next
  do {
    const query = new URLSearchParams({ limit: '4', ...(next !== undefined && { cursor: next }) })
    const page = await (await fetch(process.env.STANDIN_URL + '/notes?' + query)).json()
    next = page.next
  } while (${goesOn})`

async function mutate(next: string, goesOn: string) {
  const project = createDirectory({ 'notes.yaml': contractWith(next), 'client.js': clientThat(goesOn) })
  onTestFinished(() => project.remove())
  const args = ['mutate', '--contract', 'notes.yaml', '--only', 'listNotes /next', '--', process.execPath, 'client.js']
  const ran = runCommand(args, { cwd: project.path })
  expect(await ran.ended, ran.stderr()).toBe(0)
  return ran.stdout()
}

test('a client that takes every text for a token never ends where the last page has an empty one', async () => {
  const out = await mutate('{ type: string }', 'next !== undefined')
  expect(out).toContain(`Your client does not come to an end (1)
  listNotes /next last-empty: On the last page, /next is an empty text, as it may be.
`)
})

test.for([
  ['a client that ends there too', '{ type: string }', 'next'],
  ['a contract where no token is empty', '{ type: string, minLength: 1 }', 'next !== undefined'],
] as const)('%s is not reported', async ([, next, goesOn]) => {
  expect(await mutate(next, goesOn)).not.toContain('last-empty')
})
