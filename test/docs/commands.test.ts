import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGES = ['README.md', 'CONTRIBUTING.md', 'action.yml', 'compose.yaml', ...glob('{docs,skills/**}/*.{md,txt}')]
const EXAMPLES = glob('examples/**/*.{ts,yml,yaml,json,md}').filter((path) => !path.includes('node_modules'))
const SOURCES = [...glob('console/{src,docs}/**/*.{ts,tsx,html}'), ...glob('src/**/*.ts')]

const COMMANDS = new Map(createProgram().commands.map((command) => [command.name(), command]))

/** A command line: at the start of a line, after a prompt or `npx`, or in a code span. */
const COMMAND_LINE =
  /(?<=^\s*(?:\$ |- |(?:- )?run: )?|`|npx |<code>|npm run standin -- )standin (?<name>[a-z]+(?:-[a-z]+)*)(?![\w.:/])(?<rest>[^\n`'"|;&<>]*)/gm

test('pages, examples and messages name commands and flags that exist', () => {
  const unknown = [...PAGES, ...EXAMPLES, ...SOURCES].map((path) => [path, findUnknown(read(path))] as const)
  expect(Object.fromEntries(unknown.filter(([, names]) => names.length > 0))).toEqual({})
})

test('an unknown command and an unknown flag are found', () => {
  expect(findUnknown('Run `standin inspect`, then `standin check --strictly` and `standin serve --port 0`.')).toEqual([
    'standin inspect',
    'standin check --strictly',
  ])
})

test('what a page calls missing is no command and no flag', () => {
  const known = [...COMMANDS.values()].flatMap((command) => [command.name(), ...flagsOf(command)]).map(stemOf)
  const claims = glob('docs/*.md').flatMap((path) =>
    [...read(path).matchAll(/^\| (.+?) \| nothing\b(.*)\|$/gm)].map(([row, what = '']) => ({
      path,
      row,
      what,
    })),
  )
  expect(claims.length).toBeGreaterThan(2)
  const untrue = claims.filter(({ what }) => wordsOf(what).some((word) => known.includes(stemOf(word))))
  expect(untrue).toEqual([])
  for (const path of PAGES) expect(read(path), path).not.toContain('nothing yet')
})

function findUnknown(text: string): string[] {
  return [...text.matchAll(COMMAND_LINE)].flatMap(({ groups: { name = '', rest = '' } = {} }) => {
    const command = COMMANDS.get(name)
    // `standin needs Node …` is a sentence.
    if (!command) return ['help', 'needs'].includes(name) ? [] : [`standin ${name}`]
    const known = new Set([...flagsOf(command), '--help'])
    // After two dashes is a command that is not ours: `standin mutate -- node --test`.
    const flags = rest.replace(/ -- .*/s, '').match(/(?<= )--[a-z][a-z-]*/g) ?? []
    return flags.filter((flag) => !known.has(flag)).map((flag) => `standin ${name} ${flag}`)
  })
}

/** A command that goes on in the next line is one line. */
function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8').replaceAll(/\\\n\s*/g, ' ')
}

function flagsOf({ options }: Command): string[] {
  return options.map(({ long }) => long ?? '')
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z]{5,}/g) ?? []
}

/** @example stemOf('recording') // 'record' */
function stemOf(word: string): string {
  return word.replace(/^--/, '').replace(/(ing|s|ed)$/, '')
}

function glob(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT }).toSorted()
}
