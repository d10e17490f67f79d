import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const LIMIT = 150_000

test('the console loads at most 150 kB of script, compressed', () => {
  const names = readdirSync('dist/console', { recursive: true, encoding: 'utf8' })
  const scripts = names.filter((name) => name.endsWith('.js'))
  expect(scripts).not.toEqual([])
  const bytes = scripts.map((name) => gzipSync(readFileSync(`dist/console/${name}`)).length)
  expect(bytes.reduce((sum, one) => sum + one)).toBeLessThan(LIMIT)
})
