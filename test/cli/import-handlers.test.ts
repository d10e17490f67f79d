import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createDirectory, runCommand } from '../support/command.ts'
import { serve } from '../support/serve.ts'
import { ORDERS_CONTRACT } from '../support/contracts/orders.ts'
import { KEY_HEADER } from '../support/tester.ts'

const directories: { remove(): void }[] = []
afterEach(() => directories.splice(0).forEach((one) => one.remove()))

function directoryOf(files: Readonly<Record<string, string>>): string {
  const directory = createDirectory(files)
  directories.push(directory)
  return directory.path
}

const HANDLERS = `
import { defineOperation, events, type CallView } from 'standin'

interface Order { readonly id: number; readonly item: string; readonly count: number; readonly state: string; readonly placed: string }

export default [
  defineOperation('createOrder', (world, call) => {
    const id = world.collection<Order>('orders').nextId
    const { item } = call.body as { item: string }
    if (item === 'Bomb') throw new TypeError('no bombs')
    const order: Order = { id, item, count: 1, state: 'open', placed: new Date(call.now).toISOString() }
    return { status: 201, body: order, events: [events.create('orders', id, order)] }
  }),
  defineOperation('getOrder', (world, { path }) => ({ status: 200, body: world.collection('orders').get(Number(path.orderId)) })),
]
`

const ORDERS = '/api/orders/v1/orders'

/** Serves until the work is done. */
async function during(args: readonly string[], cwd: string, work: (url: string) => Promise<void>): Promise<string> {
  const clock = '2026-03-05T14:30:00Z'
  const all = ['--files', '10', '--clock', clock, '--contract', ORDERS_CONTRACT, ...args]
  const { command, url } = await serve(all, { cwd })
  await work(url)
  command.child.kill()
  await command.ended
  return command.stdout()
}

async function post(url: string, item: string): Promise<Response> {
  const headers = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' }
  return fetch(`${url}${ORDERS}`, { method: 'POST', headers, body: JSON.stringify({ item }) })
}

test('a file of handlers in TypeScript works from any directory; its stacks are logged with their lines; its run can be replayed', async () => {
  const cwd = directoryOf({ 'handlers.ts': HANDLERS })
  const log = await during(['--handlers', 'handlers.ts', '--data', 'data'], cwd, async (url) => {
    expect(await (await post(url, 'Lamp')).json()).toMatchObject({ id: 1, item: 'Lamp' })
    expect((await post(url, 'Bomb')).status).toBe(500)
    const run = await (await fetch(`${url}/__mock/replay`)).text()
    writeFileSync(join(cwd, 'run.json'), run)
  })
  expect(log).toMatch(/MOCK DEFECT in POST .*The handler of createOrder threw TypeError: no bombs\n/)
  const line = HANDLERS.split('\n').findIndex((text) => text.includes('no bombs')) + 1
  expect(log).toMatch(new RegExp(`handlers\\.ts:${line}:\\d+`))
  await during(['--handlers', 'handlers.ts', '--data', 'data'], cwd, async (url) => {
    const headers = { [KEY_HEADER]: 'key' }
    expect(await (await fetch(`${url}${ORDERS}/1`, { headers })).json()).toMatchObject({ item: 'Lamp' })
    expect(await (await post(url, 'Chair')).json()).toMatchObject({ id: 2 })
  })
  const again = runCommand(['replay', 'run.json', '--handlers', 'handlers.ts'], { cwd })
  expect([await again.ended, again.stdout()]).toEqual([0, '2 exchanges and 1 event: all is the same\n'])
  const without = runCommand(['replay', 'run.json'], { cwd })
  expect(await without.ended).toBe(1)
  expect(without.stderr()).toContain(
    'the run had handlers of its own for createOrder, getOrder. Name their file with --handlers.',
  )
})

test.for<[string, string, string]>([
  [
    'handlers.ts',
    'const a: number = 1\nenum X { a }\n',
    'handlers.ts:2: it cannot be imported: SyntaxError: TypeScript enum is not supported',
  ],
  [
    'handlers.mjs',
    'const a = 1\nconst b = = 2\n',
    "handlers.mjs:2: it cannot be imported: SyntaxError: Unexpected token '='.",
  ],
  ['handlers.ts', '\n\nthrow new TypeError("boom")\n', 'handlers.ts:3: it cannot be imported: TypeError: boom.'],
  ['handlers.ts', 'import "nowhere"\n', "handlers.ts: it cannot be imported: Error: Cannot find package 'nowhere'"],
  ['handlers.ts', 'import "./other.ts"\n', 'SyntaxError: Expression expected. ('],
  [
    'handlers.ts',
    'import { nope } from "standin"\n',
    "handlers.ts:1: it cannot be imported: SyntaxError: The requested module 'standin' does not provide an export named 'nope'.",
  ],
  [
    'handlers.ts',
    'export const a = 1\n',
    'handlers.ts: it has no default export. Write `export default [defineOperation(…), …]`.',
  ],
  ...['7', '{}'].map((value): [string, string, string] => [
    'handlers.ts',
    `export default ${value}\n`,
    `handlers.ts: expected an operation made with defineOperation('operationId', …), or a list of them; got ${value}.`,
  ]),
  [
    'handlers.ts',
    'export default [{}]\n',
    "handlers.ts: element 1 is not an operation. Make it with defineOperation('operationId', …).",
  ],
  ...['handlers.yaml', 'handlers.json'].map((name): [string, string, string] => [
    name,
    '{}',
    `STANDIN_HANDLERS: Expected a file in TypeScript or JavaScript, such as handlers.ts; got "${name}". Name a fixture with --fixtures, and a contract with --contract.`,
  ]),
  [
    'handlers',
    '{}',
    'STANDIN_HANDLERS: Expected a file in TypeScript or JavaScript, such as handlers.ts; got "handlers".',
  ],
  [
    'handlers.ts',
    'import "./gone.ts"\nexport default []\n',
    'handlers.ts: it imports gone.ts, and there is no such file. Create it, or remove the import.',
  ],
  [
    'handlers.ts',
    'export default [{ operationId: "getOder", handle() {} }]\n',
    'handlers.ts: the contract has no operation "getOder". Did you mean "getOrder"?',
  ],
  [
    'handlers.ts',
    'export default [{ operationId: "getOrder", async handle() {} }]\n',
    'handlers.ts: the handler of getOrder is async. Make it an ordinary function that returns { status, body }, and load what it needs at the top of the file.',
  ],
  [
    'handlers.ts',
    'import { defineOperation } from "standin"\nexport default defineOperation("getOrder", function* () {})\n',
    'handlers.ts: the handler of getOrder is a generator. Make it an ordinary function that returns { status, body }',
  ],
  ['none.txt', '', 'handlers.ts: there is no such file. Check the path; it is read from the current directory.'],
])('a file of handlers that is wrong stops the start with its reason: %s %j', async ([name, text, complaint]) => {
  const cwd = directoryOf({ [name]: text, 'other.ts': 'const b = = 2\n' })
  const file = name === 'none.txt' ? 'handlers.ts' : name
  const command = runCommand(['check', '--contract', ORDERS_CONTRACT], { cwd, env: { STANDIN_HANDLERS: file } })
  expect(await command.ended).toBe(1)
  expect(command.stderr()).toContain(complaint)
  expect(command.stderr()).toMatch(/^standin: /)
})

test('a configuration file may name the handlers', async () => {
  const cwd = directoryOf({
    'handlers.ts': HANDLERS,
    'standin.yaml': `handlers: handlers.ts\ncontract: ${ORDERS_CONTRACT}\n`,
  })
  const command = runCommand(['check', '--config', 'standin.yaml'], { cwd })
  expect(await command.ended).toBe(0)
  expect(command.stdout()).toMatch(/createOrder +by --handlers/)
})

const COMMON = '{ "name": "mine", "type": "commonjs" }\n'

test.for<[string, string, string]>([
  [
    'handlers.ts',
    HANDLERS,
    'handlers.ts:2: it cannot be imported: SyntaxError: Cannot use import statement outside a module. package.json has it read as CommonJS: write "type": "module" there, or call the file handlers.mts.\n',
  ],
  [
    'handlers.js',
    'export default []\n',
    'handlers.js:1: it cannot be imported: SyntaxError: Unexpected token \'export\'. package.json has it read as CommonJS: write "type": "module" there, or call the file handlers.mjs.\n',
  ],
  ['handlers.cts', HANDLERS, ' By its name it is read as CommonJS: call the file handlers.mts.\n'],
])(
  'in a package of CommonJS, as npm init makes it, the error says how handlers become a module: %s',
  async ([name, text, complaint]) => {
    const cwd = directoryOf({ [name]: text, 'package.json': COMMON })
    const args = ['check', '--contract', ORDERS_CONTRACT, '--handlers']
    const command = runCommand([...args, name], { cwd })
    expect(await command.ended).toBe(1)
    expect(command.stderr()).toContain(complaint)
    const renamed = directoryOf({ 'handlers.mts': HANDLERS, 'package.json': COMMON })
    expect(await runCommand([...args, 'handlers.mts'], { cwd: renamed }).ended).toBe(0)
  },
)
