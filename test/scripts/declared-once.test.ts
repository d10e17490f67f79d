import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { expect, onTestFinished, test } from 'vitest'
import { declaredOnce } from '../../scripts/declared-once.ts'
import { createDirectory } from '../support/command.ts'

/** The messages of the rule for one of some files. */
function lint(files: Readonly<Record<string, string>>, file: string): string[] {
  const { path: cwd, remove } = createDirectory({})
  onTestFinished(remove)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(cwd, dirname(name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  const config: Linter.Config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    plugins: { standin: { rules: { 'declared-once': declaredOnce('src') } } },
    rules: { 'standin/declared-once': 'error' },
  }
  const found = new Linter({ cwd }).verify(files[file] ?? '', config, { filename: join(cwd, file) })
  return found.map(({ line, message }) => `${file}:${line}: ${message}`)
}

test('a type that two files declare is reported, with both places', () => {
  const files = {
    'src/search/page.ts': '/** A page. */\nexport interface Page {\n  size: number\n}\n',
    'src/html/page.ts': "export const title = ''\ntype Page = string\n",
  }
  expect(lint(files, 'src/html/page.ts')).toEqual([
    'src/html/page.ts:2: Page is declared in src/search/page.ts:2 too. Import that type, or choose a name that says what this one is.',
  ])
  expect(lint(files, 'src/search/page.ts')).toEqual([expect.stringContaining('src/html/page.ts:2')])
})

test('classes have type names too', () => {
  const files = { 'src/a.ts': 'export class Entries {}\n', 'src/b.ts': 'type Entries = readonly string[]\n' }
  expect(lint(files, 'src/b.ts')).toEqual([expect.stringContaining('Entries is declared in src/a.ts:1 too')])
})

test.each([
  ['imports it', "import type { Page } from './page.ts'\nexport type { Page }\n"],
  ['adds to it', "declare module './page.ts' {\n  interface Page {\n    token: string\n  }\n}\nexport {}\n"],
  ['declares another', 'export type PageSize = number\n'],
])('a file that %s passes', (_what, text) => {
  expect(lint({ 'src/page.ts': 'export interface Page {}\n', 'src/b.ts': text }, 'src/b.ts')).toEqual([])
})

test('other folders may use the same name', () => {
  const files = { 'src/page.ts': 'export interface Page {}\n', 'test/page.ts': 'export interface Page {}\n' }
  expect(lint(files, 'src/page.ts')).toEqual([])
})
