import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url)

test('the built command line loads everything that it serves from', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/cli.js', 'check'], { cwd: root })
  const [summary] = stdout.split('\n')
  expect(summary).toBe('3 operations, 5 validators, 3 file sets, 1,135 files, 6 report schedules, seed 42: all is well')
})

test('the built library is the same stand-in as the sources', async () => {
  const built = (await import(new URL('dist/index.js', root).href)) as typeof import('../src/index.ts')
  const standin = built.createStandin({ clock: '2026-03-05T14:30:00Z' })
  const url = await standin.start()
  const headers = { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' }
  const response = await fetch(`${url}/api/files/v1/filesets/awkward/files/search?limit=1000`, {
    method: 'POST',
    headers,
    body: '{}',
  })
  expect(((await response.json()) as { files: unknown[] }).files).toHaveLength(239)
  await standin.stop()
})
