import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const HARDEN = fileURLToPath(new URL('../scripts/harden.ts', import.meta.url))

/** Runs `npm run harden` to its end; the results of the last real run stay as they are. */
async function harden(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  // The campaign that compares two versions of Node would install the other one.
  const env = { ...process.env, NODE_24: process.execPath }
  const child = spawn(process.execPath, [HARDEN, '--no-save', ...args], { env })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out, err }
}

test.each([
  ['paging', 10],
  ['walks', 2],
  ['commands', 20],
  ['parallel-puts', 1],
  ['refusals', 20],
  ['fuzz', 200],
  ['kills', 1],
  ['calendar', 1],
  ['bytes', 10],
])('the campaign %s runs', { timeout: 120_000 }, async (name, count) => {
  const { code, out, err } = await harden('--only', name, '--count', String(count), '--seed', '7')
  expect(err).not.toContain('Error')
  expect(out).toMatch(new RegExp(`^right  ${name}: ${count} cases \\(.* s, seed 7`))
  expect(code).toBe(0)
})

test('a campaign or number that cannot be is refused', async () => {
  expect(await harden('--only', 'pagin')).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no campaign "pagin". Expected one of paging, walks,') as string,
  })
  expect((await harden('--count', 'ten')).err).toBe('--count is "ten". Expected a whole number.\n')
})
