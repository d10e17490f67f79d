import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSourceFile } from '../../../src/base/formats/source-file.ts'
import { StartupError } from '../../../src/index.ts'
import { createDirectory } from '../../support/command.ts'
import { cases } from '../../support/cases.ts'

const directory = createDirectory({})
afterAll(directory.remove)

/** Reads a text as if it were a file of that name. */
function read(text: string, name = 'a.yaml') {
  const file = join(directory.path, name)
  writeFileSync(file, text)
  return readSourceFile(file, { shownAs: name })
}

function complaintOf(text: string, name?: string): string {
  try {
    read(text, name)
  } catch (error) {
    if (error instanceof StartupError && error.complaints.length === 1) return error.message
    throw error
  }
  throw new Error('it was read')
}

test('YAML and JSON are read to the last digit, and JSON may begin with a byte order mark', () => {
  expect(read('big: 9223372036854775807\nsmall: 7\nlong: 1e3\n').value).toEqual({
    big: 2n ** 63n - 1n,
    small: 7,
    long: 1000,
  })
  expect(read('\uFEFF{"big": 9223372036854775807}', 'a.json').value).toEqual({ big: 2n ** 63n - 1n })
  expect(read('').value).toBeNull()
})

test('a pointer leads to the line of its key, or of what is nearest above it', () => {
  const { lineOf } = read('a:\n  - b: 1\n    c/d:\n      e: 2\n  - 7\n')
  const lines = ['', '/a', '/a/0', '/a/0/b', '/a/0/c~1d/e', '/a/1', '/a/1/x', '/a/9', '/z'].map(lineOf)
  expect(lines).toEqual([1, 1, 2, 2, 4, 5, 5, 1, 1])
})

test.each([
  ['a: [1', /^a\.yaml:1: it is not valid YAML: .*[^:]\.$/],
  ['a: 1\nb\nc: 2\n', /^a\.yaml:2: it is not valid YAML: /],
  ['a: 1\na: 2\n', /^a\.yaml:2: it is not valid YAML: Map keys must be unique/],
  ['a: 1\n---\nb: 2\n', /^a\.yaml:2: it is not valid YAML: Source contains multiple documents/],
  ['a: *nothing\n', /^a\.yaml: it is not valid YAML: Unresolved alias .*: nothing\.$/],
  ['a: &all [*all]\n', /^a\.yaml: it nests too deeply, or an alias stands within what it names\.$/],
  ['['.repeat(cases(50_000)), /^a\.yaml/],
])('what is no YAML is refused in one line: %j', (text, expected) => {
  expect(complaintOf(text)).toMatch(expected)
  expect(complaintOf(text)).not.toContain('\n')
})

test('a file that is no text is refused as such, whatever its name', () => {
  for (const name of ['openapi.yaml', 'openapi.json'])
    expect(complaintOf('\u0001\0PNG: {', name)).toMatch(/^openapi\.\w+: it is not text\. Check the path/)
})

test.each([
  ['arrays in JSON', 'a.json', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['arrays in a HAR', 'a.har', `{"log":${'['.repeat(2001)}${']'.repeat(2001)}}`],
  [
    'arrays beside a long integer',
    'a.json',
    `{"b":12345678901234567890,"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  ],
  ['arrays in YAML', 'a.yaml', `a: ${'['.repeat(cases(100_000))}${']'.repeat(cases(100_000))}`],
  ['mappings in YAML', 'a.yaml', Array.from({ length: 2400 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')],
])('deep nesting is refused in one line: %s', (_, name, text) => {
  expect(complaintOf(text, name)).toMatch(/^a\.\w+: it nests (too deeply|more than 2000 levels deep)/)
})

test.skipIf(process.platform === 'win32')(
  'a device without an end is refused, and a pipe that nobody writes to where a file is expected',
  () => {
    expect(() => readSourceFile('/dev/zero')).toThrow(/^\/dev\/zero: it is not text\./)
    const pipe = join(directory.path, 'pipe')
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
    expect(() => readSourceFile(pipe, { shownAs: 'pipe', isFile: true })).toThrow(
      /^pipe: it is a pipe or a device, not a file\./,
    )
  },
)

test('a few lines that would unfold into millions are refused', () => {
  const names = ['b', 'c', 'd', 'e', 'f', 'g']
  const lines = names.map(
    (name, index) =>
      `${name}: &${name} [${Array(20)
        .fill(`*${['a', ...names][index] ?? ''}`)
        .join(',')}]`,
  )
  expect(complaintOf(['a: &a [x, x, x]', ...lines].join('\n'))).toMatch(/Excessive alias count/)
})

test.each([
  ['{\n  "a": [,]\n}', 'a.json:2: it is not valid JSON: value expected at column 9.'],
  ['{"a": 1} {}', 'a.json:1: it is not valid JSON: end of file expected at column 10.'],
  ["{'a': 1}", 'a.json:1: it is not valid JSON: invalid symbol at column 2.'],
  ['', 'a.json:1: it is not valid JSON: value expected at column 1.'],
])('what is no JSON is refused in one line: %j', (text, expected) => {
  expect(complaintOf(text, 'a.json')).toBe(expected)
})

test('merge keys take in what they name, and what is written beside them stays', () => {
  const merged = read('common: &c\n  a: 1\n  b: 2\nown:\n  <<: *c\n  b: 3\n')
  expect(merged.value).toEqual({ common: { a: 1, b: 2 }, own: { a: 1, b: 3 } })
  expect([merged.lineOf('/own/b'), merged.lineOf('/own/a')]).toEqual([6, 4])
  const fault =
    'it is not valid YAML: `<<` expects the alias of an object that is defined above, or a list of such aliases, got'
  expect(complaintOf('a: &a {}\nb:\n  <<: *A\n')).toBe(`a.yaml:3: ${fault} *A.`)
  expect(complaintOf('a: &a {}\nb: { <<: none }\n')).toBe(`a.yaml:2: ${fault} none.`)
})

test('unknown tags and strange keys are read without a word on standard error', async () => {
  const warnings: string[] = []
  const note = (warning: Error) => warnings.push(warning.message)
  process.on('warning', note)
  expect(read('a: !!strange text\n').value).toEqual({ a: 'text' })
  expect(Object.keys(read('? [a, b]\n: 1\n').value as object)).toHaveLength(1)
  // Warnings are printed in the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', note)
  expect(warnings).toEqual([])
})

test('a path without a file, or that is no file, is refused with a message', () => {
  expect(() => readSourceFile(join(directory.path, 'none.yaml'), { shownAs: 'none.yaml' })).toThrow(
    'none.yaml: there is no such file. Check the path; it is read from the current directory.',
  )
  mkdirSync(join(directory.path, 'folder'))
  expect(() => readSourceFile(join(directory.path, 'folder'), { shownAs: 'folder' })).toThrow(
    /^folder: it is a directory, not a file\./,
  )
})
