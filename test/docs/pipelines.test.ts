import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What `npm run check:pipelines` validates. */
const FILES = ['compose.yaml', ...globSync('examples/pipelines/*', { cwd: ROOT, exclude: ['**/devcontainer'] })]

const blocks = [...readFileSync(join(ROOT, 'docs/ci.md'), 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```/gm)]

test('the YAML that docs/ci.md shows is a part of a file that is validated', () => {
  const texts = FILES.map((file) => readFileSync(join(ROOT, file), 'utf8'))
  expect(blocks.length).toBeGreaterThan(2)
  for (const [, block = ''] of blocks)
    expect(
      texts.filter((text) => text.includes(block)),
      block,
    ).toHaveLength(1)
})

test('every input of the action is in its table', () => {
  const action = readFileSync(join(ROOT, 'action.yml'), 'utf8')
  const inputs = action.slice(action.indexOf('\ninputs:'), action.indexOf('\noutputs:'))
  const names = [...inputs.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name)
  const table = [...readFileSync(join(ROOT, 'docs/ci.md'), 'utf8').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(5)
  expect(table).toEqual(expect.arrayContaining(names))
})
