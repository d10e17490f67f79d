import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import type { SavedRun } from '../../src/control/client/mutation-report.ts'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { longTest, takesAll } from '../support/cases.ts'
import { runCommand, startCommand } from '../support/command.ts'
import { createProject, plainEnvironment, ROOT } from '../support/example-project.ts'

let project: ReturnType<typeof createProject>
beforeAll(() => {
  project = createProject(['vitest'])
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project.path, name), text)
})
afterAll(() => project.remove())

/** A client that takes a page without `next` for the last one, and no other. */
const FILES = {
  'client.js': `
    export async function findFiles(url, key) {
      const headers = { 'X-SERVICE-Developer-Token': key, 'Content-Type': 'application/json' }
      const names = []
      let next
      do {
        const query = next === undefined ? '' : '&next=' + encodeURIComponent(next)
        const init = { method: 'POST', headers, body: '{}' }
        const response = await fetch(url + '/api/files/v1/filesets/demo/files/search?limit=100' + query, init)
        if (!response.ok) throw new Error('The search failed with ' + response.status)
        const page = await response.json()
        names.push(...page.files.map(({ name }) => name))
        next = page.pageContext.next
      } while (next !== undefined)
      return names
    }`,
  'files.test.js': `
    import { describe, expect } from 'vitest'
    import { test } from 'standin/vitest'
    import { findFiles } from './client.js'
    describe('the client', () => {
      test('finds files', async ({ url, key }) => expect((await findFiles(url, key)).length).toBeGreaterThan(900))
      test('sends nothing', () => expect(1).toBe(1))
    })`,
  'openapi.yaml': `
openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /orders:
    get:
      operationId: listOrders
      responses:
        '200':
          description: All orders.
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
                  required: [id, total, status]
                  properties:
                    id: { type: integer }
                    total: { type: integer, minimum: 0 }
                    status: { enum: [open, paid] }
                    note: { type: [string, 'null'] }`,
  // What all of its attempts send is more than a journal keeps.
  'often.test.js': `
    import { test } from 'standin/vitest'
    test('asks often', async ({ standin }) => {
      for (let at = 0; at < 60; at++) await standin.fetch('/orders?at=' + at + 'x'.repeat(12_000))
    })`,
  // Only the second one looks at what it receives.
  'two.test.js': `
    import { appendFileSync } from 'node:fs'
    import { expect } from 'vitest'
    import { test } from 'standin/vitest'
    const list = async (standin) => {
      appendFileSync('attempts', 'x')
      await new Promise((resolve) => setTimeout(resolve, 100))
      return (await standin.fetch('/orders')).json()
    }
    test('lists orders', async ({ standin }) => void await list(standin))
    test('looks at them', async ({ standin }) => expect(await list(standin)).toMatchSnapshot())`,
  'mutate.yaml': `
contract: openapi.yaml
accept:
  listOrders /*/status other: shown as it is`,
  'orders.test.js': `
    import { expect } from 'vitest'
    import { test } from 'standin/vitest'
    test('lists the notes of orders', async ({ standin }) => {
      const orders = await (await standin.fetch('/orders')).json()
      expect(orders.every(({ status, note }) => status !== '' && (note === null || note.trim() !== ''))).toBe(true)
      expect(orders.length).toBeGreaterThan(1)
    })`,
  'tickets.yaml': `
openapi: 3.1.0
info: { title: Tickets, version: '1' }
paths:
  /tickets:
    post:
      operationId: createTicket
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Ticket' } } } }
      responses:
        '201': { description: Opened., content: { application/json: { schema: { $ref: '#/components/schemas/Ticket' } } } }
    get:
      operationId: listTickets
      responses:
        '200':
          description: All tickets.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Ticket' } } } }
components:
  schemas:
    Ticket:
      type: object
      required: [title]
      properties: { id: { type: integer, readOnly: true }, title: { type: string } }`,
  // It sends a create again whose response was lost.
  'tickets.test.js': `
    import { expect } from 'vitest'
    import { test } from 'standin/vitest'
    test('opens a ticket', async ({ standin }) => {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"title":"Broken"}' }
      const send = () => standin.fetch('/tickets', init)
      const again = () => new Promise((resolve) => setTimeout(resolve, 150)).then(send)
      const response = await send().catch(again)
      const waited = [503, 429].includes(response.status) ? await again() : response
      expect((await waited.json()).title).toBe('Broken')
    })`,
  'jobs.yaml': `
openapi: 3.1.0
info: { title: Jobs, version: '1' }
paths:
  /jobs:
    post:
      operationId: createJob
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } } }
      responses:
        '201': { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } } }
        '202': { description: It will be made. }
  /jobs/{id}:
    get:
      operationId: getJob
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: A job.
          content:
            application/json: { schema: { $ref: '#/components/schemas/Job' } }
            application/vnd.job+json: { schema: { $ref: '#/components/schemas/Job' } }
        '307': { description: It is elsewhere. }
        '404':
          description: None.
          content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }
        '410':
          description: It was removed.
          content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }
components:
  schemas:
    Job:
      type: object
      required: [title]
      properties: { id: { type: string, readOnly: true }, title: { type: string }, note: { type: string } }
    Error:
      type: object
      required: [message]
      properties: { message: { type: string }, code: { type: string } }`,
  // It takes 201 for the only success, application/json for the only JSON, and 404 for the only way to say that there is none.
  'jobs.js': `
    import { equal } from 'node:assert/strict'
    const send = (path, init) => fetch(process.env.STANDIN_URL + path, init)
    const read = async (response) => {
      if (!response.headers.get('content-type')?.startsWith('application/json')) throw new Error('No JSON')
      return response.json()
    }
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"title":"Count"}' }
    const made = await send('/jobs', init)
    if (made.status !== 201) throw new Error('It was not made: ' + made.status)
    const { id, title } = await read(made)
    equal(title, 'Count')
    equal((await read(await send('/jobs/' + id))).title, 'Count')
    const none = await send('/jobs/none')
    if (none.status !== 404) throw new Error('Not refused: ' + none.status)
    ;(await none.json()).code.trim()`,
  'playwright.spec.js': `
    import { expect, test } from 'standin/playwright'
    test('lists several orders', async ({ standin }) => {
      const orders = await (await standin.fetch('/orders')).json()
      expect(orders.length).toBeGreaterThan(1)
    })`,
  'pair.test.js': `
    import { test } from 'standin/vitest'
    test('walks', async ({ standin }) => {
      const pages = []
      let next
      do {
        const query = next ? '&next=' + next : ''
        const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
        const response = await standin.fetch('/api/files/v1/filesets/demo/files/search?limit=100' + query, init)
        pages.push(await response.json())
        next = pages.at(-1).pageContext.next
      } while (next)
      const isShort = pages.slice(0, -1).some(({ files }) => files.length < 100)
      if (isShort && next === null) throw new Error('A short page, and null.')
    })`,
  'busy.test.js': `
    import { existsSync, writeFileSync } from 'node:fs'
    import { test } from 'standin/vitest'
    test('takes long once', { timeout: 1500 }, async ({ standin }) => {
      let next
      do {
        const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
        const query = next ? '&next=' + next : ''
        const response = await standin.fetch('/api/files/v1/filesets/demo/files/search?limit=100' + query, init)
        next = (await response.json()).pageContext.next
      } while (next)
      if (next === undefined || existsSync('was-busy')) return
      writeFileSync('was-busy', '')
      await new Promise((resolve) => setTimeout(resolve, 3000))
    })`,
  'whole.js': `
    import { findFiles } from './client.js'
    if ((await findFiles(process.env.STANDIN_URL, process.env.STANDIN_KEY)).length < 900) throw new Error('too few')`,
  'pytest.js': `
    await import('./whole.js').catch(() => {
      console.log('    self.handle_error_response(\\nE   stripe.error.RateLimitError: too many')
      process.exitCode = 1
    })`,
  'slow.js': `
    await import('./whole.js')
    await new Promise((resolve) => setTimeout(resolve, 800))`,
  'flaky.js': `
    import { existsSync, writeFileSync } from 'node:fs'
    await import('./whole.js')
    if (!existsSync('ran')) process.exitCode = 1
    writeFileSync('ran', '')`,
}

/** Runs of runners take seconds; `npm run test:campaigns` has all of them. */
const slow = test.runIf(takesAll)

const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--root', '.', '--no-isolate', '--maxWorkers=1']

async function mutate(args: readonly string[], command: readonly string[]) {
  const env = plainEnvironment() as Record<string, string>
  const ran = runCommand(['mutate', ...args, '--', process.execPath, ...command], { cwd: project.path, env })
  return { code: await ran.ended, out: ran.stdout(), err: ran.stderr() }
}

test('it names the assumptions that tests of a Vitest suite show, with the exchange, the test and its message', async () => {
  const { code, out, err } = await mutate(['--only', 'page,sort.default'], [...VITEST, 'files.test.js'])
  expect([code, err]).toEqual([0, expect.not.stringContaining('standin:')])
  expect(out).toMatch(/^File Set Search and Report Schedule Service 1\.0\.0: \d+ changes of the service, 1 test, /)
  expect(out).toContain(`Your client relies on an assumption (1)
  page.last=null: How is the last page marked?
      usually:     The pageContext of the last page holds no \`next\`.
      showed in:   POST /api/files/v1/filesets/demo/files/search?limit=100&next=`)
  expect(out).toContain(': /pageContext/next absent → null\n')
  expect(out).toContain(`
      turns red:   files.test.js > the client > finds files
                   The search failed with 400
      a test:      test-results/standin/mutate/page.last-null/notice.ts
      try again:   standin mutate --only page.last=null -- `)
  expect(out).toMatch(/^ \d {2}the client copes$/m)
  expect(out).not.toMatch(/sort\.default=/)
  expect(out).toMatch(/^ ?\d+ {2}no test received anything else$/m)
})

test('for any contract it names what the contract allows and the client does not, and what no test looks at', async () => {
  const args = ['--contract', 'openapi.yaml', '--breaking', '--only', 'listOrders']
  const { code, out } = await mutate(args, [...VITEST, 'orders'])
  expect(code).toBe(0)
  const [assumed = '', unseen = ''] = out.split('No test would notice another value')
  const idsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, id]) => id)
  expect(idsIn(assumed, /^ {2}(listOrders .*?): /gm)).toEqual([
    // That there are fewer orders is noticed by an assertion; the client never tries again.
    'listOrders /*/note absent',
    'listOrders 503',
    'listOrders 429',
    'listOrders reset',
  ])
  expect(assumed).toContain(`
  listOrders /*/note absent: /*/note is absent, for it is optional.
      usually:     /*/note was "`)
  expect(assumed).toContain("TypeError: Cannot read properties of undefined (reading 'trim')\n")
  expect(idsIn(unseen, /^ {6}(\/\S+ \S+) {2}/gm)).toEqual([
    '/*/id other',
    '/*/id removed',
    '/*/id retyped',
    '/*/id nulled',
    '/*/total other',
    '/*/total removed',
    '/*/total retyped',
    '/*/total nulled',
    '/*/status other',
    '/*/status removed',
    '/*/status retyped',
    '/*/status nulled',
    '/*/status unknown',
    '/*/note other',
  ])
})

test('it tries another documented status, media type, error and redirect, and with --breaking what a diff calls breaking', async () => {
  const created = [
    'status-202',
    'status-added-200',
    'charset',
    'operation-removed',
    'security',
    'required',
    '/title',
    '/id',
    'media-type-removed',
  ]
  const read = ['type-application/vnd.job+json', 'status-410', 'least-error-404', 'redirect-307', 'charset', 'chunked']
  const only = [...created.map((name) => `createJob ${name}`), ...read.map((name) => `getJob ${name}`)]
  const args = ['--contract', 'jobs.yaml', '--breaking', '--only', only.join(), '--format', 'stryker']
  const { out } = await mutate([...args, '--out', 'jobs.json'], ['jobs.js'])
  const { files } = JSON.parse(readFileSync(join(project.path, 'jobs.json'), 'utf8')) as StrykerReport
  const verdicts = new Map(
    Object.values(files).flatMap(({ mutants }) => mutants.map(({ id, statusReason = '' }) => [id, statusReason])),
  )
  const wordsOf = (...ids: readonly string[]) => ids.map((id) => verdicts.get(id)?.split(':', 1)[0])
  expect(
    wordsOf(
      'createJob status-202',
      'getJob type-application/vnd.job+json',
      'getJob status-410',
      'getJob least-error-404',
    ),
  ).toEqual(Array.from({ length: 4 }, () => 'the client relies on an assumption'))
  expect(wordsOf('getJob redirect-307', 'createJob charset', 'getJob charset', 'getJob chunked')).toEqual(
    Array.from({ length: 4 }, () => 'the client copes'),
  )
  expect(wordsOf('createJob operation-removed', 'createJob security', 'createJob required')).toEqual(
    Array.from({ length: 3 }, () => 'a test notices'),
  )
  expect(wordsOf('createJob media-type-removed', 'createJob status-added-200', 'createJob /title nulled')).toEqual(
    Array.from({ length: 3 }, () => 'a test notices'),
  )
  // What the client sent, and what it calls the job, no service leaves out.
  expect(wordsOf('createJob /title shortest', 'createJob /id absent', 'createJob /title other')).toEqual([
    undefined,
    undefined,
    'a test notices',
  ])
  expect(out).toContain('createJob status-202: The status is 202, which is documented too, without a body.')
})

slow(
  'reports are files for other tools, a score has a limit, and what is accepted or unchanged is not tried again',
  async () => {
    const args = ['--config', 'mutate.yaml', '--only', 'listOrders']
    const scored = ['--format', 'stryker', '--out', 'mutation.json', '--min-score', '90']
    const first = await mutate([...args, ...scored], [...VITEST, 'orders'])
    expect(first.code).toBe(3)
    // Which changes there are decides the score.
    const [, score = ''] =
      /^wrote mutation\.json\nstandin: --min-score: Expected at least 90 %, received ([\d.]+ %)\.\n$/m.exec(
        first.err,
      ) ?? []
    expect(parseFloat(score)).toBeLessThan(90)
    const report = JSON.parse(readFileSync(join(project.path, 'mutation.json'), 'utf8')) as StrykerReport
    const schema = new URL(import.meta.resolve('mutation-testing-report-schema/mutation-testing-report-schema.json'))
    const check = new Ajv({ strict: false, validateFormats: false }).compile(
      JSON.parse(readFileSync(schema, 'utf8')) as object,
    )
    expect(check(report), JSON.stringify(check.errors)).toBe(true)
    const { source, mutants } = report.files.listOrders!
    expect(source).toBe('GET /orders')
    expect(mutants.find(({ id }) => id === 'listOrders /*/total other')).toMatchObject({
      mutatorName: 'wrong',
      status: 'Survived',
      statusReason: 'no test would notice',
      coveredBy: ['orders.test.js > lists the notes of orders'],
    })
    expect(mutants.find(({ id }) => id === 'listOrders /*/status other')).toMatchObject({
      status: 'Ignored',
      statusReason: 'accepted: shown as it is',
    })

    // Only the tests without a change run again.
    const kept = ['--changed-since', 'mutation.json']
    const second = await mutate([...args, ...kept, '--format', 'junit'], [...VITEST, 'orders'])
    expect(second.out).toMatch(/<testsuite name="mutate" tests="\d+" failures="\d+" errors="0" skipped="\d+">/)
    expect(second.out).toContain('<failure message="/*/total has another value. no test would notice"/>')
    expect(second.err).not.toMatch(/attempts/)
    const third = await mutate([...args, ...kept, '--format', 'markdown'], [...VITEST, 'orders'])
    expect(third.out).toContain(`that the tests notice or cope with: ${score}\n`)
    expect(third.out).toContain(
      '| `listOrders /*/note absent` | the client relies on an assumption | orders.test.js > lists the notes of orders |',
    )
  },
)

interface StrykerReport {
  readonly files: Readonly<
    Record<
      string,
      { readonly source: string; readonly mutants: readonly { readonly id: string; readonly statusReason?: string }[] }
    >
  >
}

slow('the page on mutation runs shows what its commands print', async () => {
  const page = readFileSync(join(ROOT, 'docs/mutate.md'), 'utf8')
  const blocks = [...page.matchAll(/^```(?<language>\w+)\n(?<text>.*?)^```$/gms)].map(({ groups }) => groups!)
  const cwd = join(project.path, 'vitest')
  for (const [at, { language, text = '' }] of blocks.entries()) {
    // The page imports the example from where it is installed.
    if (language === 'ts') writeFileSync(join(cwd, 'names.test.ts'), text.replace('./examples/vitest/', './'))
    if (language !== 'sh') continue
    const [args = '', command = ''] = text.replace('npx standin ', '').trim().split(' -- ')
    const words = args.match(/'[^']*'|\S+/g)!.map((word) => word.replaceAll("'", ''))
    const tests = command
      .replace('npx vitest', '../node_modules/vitest/vitest.mjs')
      .replace('run', 'run --exclude files.test.ts')
    const ran = runCommand([...words, '--', process.execPath, ...tests.split(' ')], {
      cwd,
      env: plainEnvironment() as Record<string, string>,
    })
    expect(await ran.ended, ran.stderr()).toBe(0)
    const out = ran.stdout().replaceAll(`${process.execPath} ${tests}`, command)
    let rest = out
    for (const part of blocks[at + 1]!.text!.split('…')) {
      expect(rest).toContain(part)
      rest = rest.slice(rest.indexOf(part) + part.length)
    }
  }
})

slow(
  'with --faults it finds the schedule of faults that a client does not cope with, to be replayed and as a test',
  async () => {
    const { code, out } = await mutate(['--contract', 'tickets.yaml', '--faults', '9'], [...VITEST, 'tickets.test.js'])
    expect(code).toBe(0)
    expect(out).toMatch(/^Tickets 1: \d+ schedules of faults, 1 test, /)
    const ids = [...out.matchAll(/^ {2}(\S+ \S+@1): /gm)].map(([, id]) => id)
    // It does not send a create again after a 504, and need not.
    expect(ids).toEqual(['createTicket lost@1', 'createTicket 503@1', 'createTicket 429@1'])
    expect(out).toContain(`
      green, but:  tickets.test.js > opens a ticket
                   POST /tickets 201: create: expected once, or again with the same Idempotency-Key; received stored by exchange 1, and sent again in 2 without one
      a test:      test-results/standin/mutate/createTicket-lost-1/notice.ts
      replay:      standin replay test-results/standin/mutate/createTicket-lost-1/replay.json
      try again:   standin mutate --contract tickets.yaml --faults --only 'createTicket lost@1' -- `)
    const kept = (name: string) => join('test-results/standin/mutate/createTicket-lost-1', name)
    expect(readFileSync(join(project.path, kept('notice.ts')), 'utf8')).toContain(`
  await control.armFaults({
    kind: 'lost-answer',
    match: { operationId: 'createTicket' },
    times: 1,
  })
  // Here do what 'tickets.test.js > opens a ticket' does.
  await control.expectGoodClient()
})
`)
    const replayed = runCommand(['replay', kept('replay.json')], { cwd: project.path })
    expect([await replayed.ended, replayed.stdout()]).toEqual([
      0,
      expect.stringMatching(/^\d exchanges and \d events: all is the same\n$/),
    ])
  },
)

slow('an assertion of Playwright about changed data is no assumption of the client', async () => {
  const command = ['node_modules/@playwright/test/cli.js', 'test', 'playwright.spec.js']
  const { out } = await mutate(['--contract', 'openapi.yaml', '--only', 'listOrders empty'], command)
  expect(out).toMatch(/1 change of the service, 1 test, .*\n\n1 {2}a test notices\n/)
})

slow('two settings that a client copes with alone are named together, and nothing else', async () => {
  const { out } = await mutate(['--pairs', '--only', 'page,sort,search,dir'], [...VITEST, 'pair.test.js'])
  const [, found = ''] = out.split('Your client relies on an assumption')
  const ids = [...found.matchAll(/^ {2}(\S+=.*?): /gm)].map(([, id]) => id)
  expect(ids).toEqual(['page.last=null + page.short=every-2', 'page.last=null + page.short=random'])
  expect(found).toContain('standin mutate --pairs --only page.last=null,page.short=every-2 -- ')
})

slow('a test that took too long is tried once more, since the machine may have been busy', async () => {
  const { code, out } = await mutate(['--only', 'page.last=null'], [...VITEST, 'busy.test.js'])
  expect([code, out]).toEqual([0, expect.stringMatching(/^1 {2}the client copes$/m)])
})

longTest(
  'findings have their tests also after more was sent than a journal keeps',
  async () => {
    const args = ['--contract', 'openapi.yaml', '--only', 'listOrders']
    const { code, out } = await mutate(args, [...VITEST, 'often.test.js'])
    expect(code).toBe(0)
    const [, file = ''] = /^No test would notice .* {6}a test: {6}(\S+)$/ms.exec(out) ?? []
    expect(readFileSync(join(project.path, file), 'utf8')).toContain("standin.fetch('/orders?at=0xxx")
  },
  60_000,
)

longTest(
  'tests without a fixture are run as a whole for each change, and one that goes on is stopped',
  async () => {
    const { code, out } = await mutate(['--only', 'page.last'], ['whole.js'])
    expect(code).toBe(0)
    expect(out).toMatch(
      /relies on an assumption \(1\)\n {2}page\.last=null: .*\n.*\n.*\n {6}turns red: .* whole\.js\n +Error: The search failed with 400/,
    )
    expect(out).toMatch(/does not come to an end \(1\)\n {2}page\.last=empty: /)
  },
  60_000,
)

test('of what pytest prints, the error is the message, and not a line of code that has the word', async () => {
  const { out } = await mutate(['--only', 'page.last=null'], ['pytest.js'])
  expect(out).toMatch(/turns red: .* pytest\.js\n +stripe\.error\.RateLimitError: too many\n/)
}, 60_000)

test.for([
  [
    'is red',
    [],
    ['-e', 'console.log("1 failed"); process.exit(3)'],
    /^standin: The tests are red without any change of the service: .* exits with 3\. Make them green first\. They also sent no request to the stand-in at \S+ .* The end of what they print:\n1 failed$/m,
  ],
  [
    'is red since it calls another address',
    [],
    ['-e', "await fetch('http://127.0.0.1:9')"],
    /exits with 1\. Make them green first\. They also sent no request to the stand-in at http:\/\/127\.0\.0\.1:\d+\. .* STANDIN_URL/,
  ],
  [
    'requests no operation of the contract',
    [],
    ['-e', "await fetch(process.env.STANDIN_URL + '/v1/orders')"],
    /The tests requested no operation of the contract; their first request was GET \/v1\/orders\. Name the contract of their service with --contract/,
  ],
  [
    'sends nothing',
    [],
    ['-e', ''],
    /The tests sent no request to the stand-in at http:\/\/127\.0\.0\.1:\d+\. .* STANDIN_URL/,
  ],
  [
    'runs forever',
    ['--timeout', '0.3'],
    ['-e', 'setInterval(() => {}, 1000)'],
    /had not ended after 0\.3 s, without any change of the service\. Pass a command that ends/,
  ],
  ['is flaky', [], ['flaky.js'], /The tests are flaky: .* was red in one of two runs/],
  [
    'meets no such change',
    ['--only', 'pages'],
    ['whole.js'],
    /--only: None of the \d+ changes that these tests can meet has such a name\. The first are page\.last=null, /,
  ],
] as const)('a test command that %s gets one message', async ([, args, command, message]) => {
  const { code, err } = await mutate(args, command)
  expect([code, err]).toEqual([1, expect.stringMatching(message)])
})

test('a test command that ignores STANDIN_URL gets the same message as one that sends nothing', async () => {
  const service = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(service, 'listening')
  onTestFinished(() => void service.close())
  const { port } = service.address() as AddressInfo
  const { code, err } = await mutate([], ['-e', `await fetch('http://127.0.0.1:${port}')`])
  expect([code, err]).toEqual([1, expect.stringContaining('The tests sent no request to the stand-in at http://')])
})

test.for([
  ['no-such-runner', 'Check its name, or run it by npx: standin mutate -- npx vitest run'],
  ['npx vitest run', 'Leave out the quotes: standin mutate -- npx vitest run'],
] as const)('a command that does not exist is named: %s', async ([program, remedy]) => {
  const ran = runCommand(['mutate', '--', program], { cwd: project.path })
  expect([await ran.ended, ran.stderr()]).toEqual([
    1,
    `standin: The test command cannot be run: expected a program after --, and there is none of the name "${program}". ${remedy}\n`,
  ])
})

slow(
  'an interrupted run claims nothing of changes that a test has not tried, and goes on with the other tests',
  async () => {
    const attempts = () => {
      const { length } = readFileSync(join(project.path, 'attempts'))
      writeFileSync(join(project.path, 'attempts'), '')
      return length
    }
    writeFileSync(join(project.path, 'attempts'), '')
    const only = ['id', 'total', 'status', 'note'].map((name) => `listOrders /*/${name}`).join()
    const asked = [
      '--contract',
      'openapi.yaml',
      '--clock',
      '2026-03-05T14:30:00Z',
      '--only',
      only,
      '--format',
      'stryker',
      '--out',
    ]
    const report = (name: string) => JSON.parse(readFileSync(join(project.path, name), 'utf8')) as { config: SavedRun }
    await mutate([...asked, 'whole.json'], [...VITEST, 'two.test.js'])
    const all = attempts()
    const command = ['mutate', ...asked, 'part.json', '--', process.execPath, ...VITEST, 'two.test.js']
    const { child, ended } = startCommand(command, {
      cwd: project.path,
      env: plainEnvironment() as Record<string, string>,
    })
    // Each test twice without a change, and the first one with some.
    await vi.waitFor(() => expect(readFileSync(join(project.path, 'attempts')).length).toBeGreaterThan(8), 30_000)
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    const tried = attempts()
    const verdicts = Object.values(report('part.json').config.mutants).map(({ verdict }) => verdict)
    expect(new Set(verdicts)).toEqual(new Set(['unfinished']))
    await mutate([...asked, 'rest.json', '--changed-since', 'part.json'], [...VITEST, 'two.test.js'])
    // The tests without a change run again, and the attempt that was under way.
    expect(attempts()).toBeLessThanOrEqual(all - (tried - 4) + 1)
    expect(report('rest.json').config.mutants).toEqual(report('whole.json').config.mutants)
  },
  60_000,
)

slow(
  'Ctrl-C keeps what is known',
  async () => {
    const { child, ended, stdout, stderr } = startCommand(
      ['mutate', '--jobs', '1', '--', process.execPath, 'slow.js'],
      {
        cwd: project.path,
      },
    )
    await vi.waitFor(() => expect(stderr()).toMatch(/^[1-9]\d* of \d+ changes/m), 30_000)
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(stdout()).toMatch(/^\d+ changes were not tried\.$/m)
    expect(stdout()).toMatch(/relies on an assumption \(1\)\n {2}page\.last=null/)
  },
  60_000,
)
