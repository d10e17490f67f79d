import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CAMPAIGNS } from '../../checks/harden/campaigns.ts'
import { mountSmallDisk } from '../support/disk/failing-disk.ts'

const HARDEN = fileURLToPath(new URL('../../checks/harden.ts', import.meta.url))

interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/**
 * Runs `npm run harden` to its end; with `--count` the results of the last full run stay as they are.
 *
 * @param node24 the runtime that the campaign `bytes` would install otherwise
 */
function harden(args: readonly string[], node24 = process.execPath, onProgress?: (child: ChildProcess) => void) {
  const child = spawn(process.execPath, [HARDEN, ...args], { env: { ...process.env, NODE_24: node24 } })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stderr.once('data', () => onProgress?.(child))
  return new Promise<Run>((resolve) => child.once('close', (code) => resolve({ code, out, err })))
}

const disk = mountSmallDisk(2 ** 20)
disk?.remove()

test.each<[string, number]>([
  ['paging', 10],
  ['walks', 2],
  ['commands', 20],
  ['parallel-puts', 1],
  ['refusals', 20],
  ['fuzz', 200],
  ['kills', 1],
  ['upstream-kills', 60],
  // Only root may mount a disk.
  ...(disk ? [['full-disks', 1] as [string, number]] : []),
  ['replays', 2],
  ['calendar', 1],
  ['bytes', 10],
])('a round of the campaign %s is right', async (name, cases) => {
  vi.stubEnv('NODE_24', process.execPath)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { open } = await CAMPAIGNS[name]!.load()
  const rounds = await open({ seed: 7, rounds: 1 })
  await rounds.run({ number: 0, seed: 7, cases }).finally(() => rounds.close())
})

test('a run shares the cases among workers and prints a line for each campaign', async () => {
  const { code, out, err } = await harden(['--only', 'paging,parallel-puts', '--count', '2', '--seed', '7'])
  expect(err).not.toContain('Error')
  expect(out).toMatch(/^right {2}paging: 2 cases \(.* s, seed 7.*\nright {2}parallel-puts: 2 cases \(.*\n$/)
  expect(code).toBe(0)
})

test('a campaign or number that cannot be is refused', async () => {
  expect(await harden(['--only', 'pagin'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no campaign "pagin". Expected one of paging, walks,') as string,
  })
  expect((await harden(['--count', 'ten'])).err).toBe('--count is "ten". Expected a whole number.\n')
})

test('the first wrong result ends the run, with what reproduces it', { timeout: 60_000 }, async () => {
  const { code, out, err } = await harden(['--only', 'bytes,paging', '--count', '1'], '/bin/false')
  expect(code).toBe(1)
  expect(out).toMatch(/^WRONG {2}bytes: 0 cases/)
  expect(err).toContain('To reproduce: npm run harden -- --only bytes --seed 1 --round 0 --count 1')
  expect(out).not.toContain('paging')
})

test('Ctrl-C ends the run and prints what was done', { timeout: 60_000 }, async () => {
  const stop = (child: ChildProcess) => void child.kill('SIGINT')
  const { code, out } = await harden(['--only', 'paging,walks', '--count', '10000'], process.execPath, stop)
  expect(code).toBe(130)
  expect(out).toMatch(/^right {2}paging: [\d,]+ cases/)
  expect(out).not.toContain('walks')
})
