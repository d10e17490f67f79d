import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { createDirectory } from '../support/command.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface Step {
  readonly name: string
  readonly if?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly run?: string
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action
let tarball = ''

beforeAll(() => {
  const { path } = createDirectory({})
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', path], { cwd: ROOT })
  tarball = join(path, readdirSync(path)[0] ?? '')
})

interface Run {
  readonly outcome: 'success' | 'failure'
  readonly output: string
  /** What each step that uses another action was given. */
  readonly used: readonly { readonly uses: string; readonly with: Readonly<Record<string, string>> }[]
}

/** Runs the steps of the action as a runner does: in order, after a failure only those that ask for it. */
async function runAction(given: Readonly<Record<string, string>>): Promise<Run> {
  const temp = createDirectory({})
  onTestFinished(temp.remove)
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ''])
  const inputs = { ...Object.fromEntries(defaults), package: tarball, ...given } as Record<string, string>
  const fill = (texts: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, evaluate(text, inputs, temp.path)]))
  const [used, outputs]: [Run['used'][number][], string[]] = [[], []]
  let hasFailed = false
  for (const step of action.runs.steps) {
    if (!(step.if === 'always()' || (step.if === 'failure()' ? hasFailed : !hasFailed))) continue
    if (step.uses !== undefined) used.push({ uses: step.uses, with: fill(step.with) })
    if (step.run === undefined) continue
    const { code, output } = await runShell(step.run, fill(step.env), temp.path)
    outputs.push(output)
    if (code !== 0) hasFailed = true
  }
  return { outcome: hasFailed ? 'failure' : 'success', output: outputs.join('\n'), used }
}

/** The expressions of action.yml are JavaScript too, but for names with dashes, which it does not have. */
function evaluate(text: string, inputs: Readonly<Record<string, string>>, temp: string): string {
  const format = (form: string, ...values: readonly string[]) =>
    form.replaceAll(/\{(\d)\}/g, (_, at) => values[Number(at)]!)
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    String(runInNewContext(expression, { inputs, format, runner: { temp } })),
  )
}

/** As `shell: bash` does. */
function runShell(script: string, env: Readonly<Record<string, string>>, cwd: string) {
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script]
  const { PATH, HOME } = process.env
  // The package needs no other, so nothing is asked of a registry.
  const variables = { PATH, HOME, npm_config_offline: 'true', GITHUB_ACTION_PATH: ROOT, ...env }
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile('bash', args, { cwd, env: variables }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, output: stdout + stderr }),
    )
  })
}

async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

const SEARCH = `curl -sSf "$STANDIN_URL/api/files/v1/filesets/demo/files/search?limit=1" -H 'X-SERVICE-Developer-Token: any@checkout' -H 'Content-Type: application/json' -d '{}'`

test('the command of a job has a stand-in, and nothing is uploaded when it succeeds', async () => {
  const port = await freePort()
  const { outcome, output, used } = await runAction({
    port,
    args: "--seed 7 --clock '2026-03-05T14:30:00Z'",
    run: SEARCH,
  })
  expect({ outcome, used }, output).toEqual({ outcome: 'success', used: [] })
  expect(output).toContain('"pageContext"')
  await expect(fetch(`http://127.0.0.1:${port}/`), 'it was stopped').rejects.toThrow('fetch failed')
})

test('when the command fails, the journal, a HAR and a replay of each sandbox are uploaded', async () => {
  const directory = createDirectory({})
  onTestFinished(directory.remove)
  const run = `${SEARCH}\nfalse\necho never`
  const { outcome, output, used } = await runAction({ port: await freePort(), run, directory: directory.path })
  expect(outcome).toBe('failure')
  expect(output).not.toContain('never')
  expect(used).toMatchObject([
    { uses: expect.stringMatching(/^actions\/upload-artifact@v\d+$/) as string, with: { name: 'standin' } },
  ])
  const [uploaded = '', ofFixtures] = used[0]!.with.path!.split('\n')
  expect(ofFixtures).toBe('test-results/standin')
  expect(readdirSync(join(uploaded, 'checkout')).sort()).toEqual([
    'coverage.json',
    'journal.json',
    'replay.json',
    'requests.har',
  ])
  expect(readFileSync(join(uploaded, 'checkout', 'journal.json'), 'utf8')).toContain('searchFiles')
  expect(existsSync(join(uploaded, 'standin.log'))).toBe(true)
})

test('nothing of the flags is run or expanded, and quotes keep spaces together', async () => {
  const directory = createDirectory({})
  onTestFinished(directory.remove)
  const args = `--seed 7 --fixtures "$(touch ${directory.path}/run) \`touch ${directory.path}/run\` $HOME/no such file"`
  const { outcome, output } = await runAction({ port: await freePort(), args, run: 'echo never' })
  expect(outcome).toBe('failure')
  expect(output).toContain('$HOME/no such file')
  expect(readdirSync(directory.path)).toEqual([])
})

test('a server that refuses to start fails the job at once, with its message', async () => {
  const { outcome, output } = await runAction({ port: await freePort(), args: '--seed seven', run: 'echo never' })
  expect(outcome).toBe('failure')
  expect(output).toContain('--seed: Expected an integer')
  expect(output).toContain('standin: ended before it was ready.')
  expect(output).not.toContain('never')
})
