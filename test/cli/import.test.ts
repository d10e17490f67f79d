import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { readSourceFile } from '../../src/base/formats/source-file.ts'
import { longTest } from '../support/cases.ts'
import { CLI, createDirectory, runCommand, startCommand } from '../support/command.ts'
import { serve } from '../support/serve.ts'
import { createTester } from '../support/tester.ts'
import { PACKAGED } from '../support/packaged.ts'

function createFolder(): string {
  const { path, remove } = createDirectory({})
  onTestFinished(remove)
  mkdirSync(join(path, 'docs/empty'), { recursive: true })
  mkdirSync(join(path, 'docs/in'))
  writeFileSync(join(path, 'docs/a.pdf'), '%PDF')
  writeFileSync(join(path, 'docs/in/\u2028 "odd": {name}\u0085.txt'), 'x')
  return path
}

async function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const command = runCommand(args, { cwd, env })
  const code = await command.ended
  return { code, out: command.stdout(), err: command.stderr() }
}

const PATHS = ['a.pdf', 'empty', 'in', 'in/\u2028 "odd": {name}\u0085.txt']

test.for(['fixture.yaml', 'fixture.json'])('a folder becomes the fixture %s', async (name) => {
  const cwd = createFolder()
  expect(await run(['import', 'docs', '--as', 'documents', '--out', name], cwd)).toEqual({
    code: 0,
    out: '',
    err: 'standin: docs: 2 files (5 bytes) and 1 empty directory for the file set documents\n',
  })
  const { value } = readSourceFile(join(cwd, name))
  expect(await createTester({ fixtures: [value] }).paths({ set: 'documents' })).toEqual(PATHS)
  expect(existsSync(join(cwd, `${name}.unfinished`))).toBe(false)
})

test('a file that is there is replaced with --force only', async () => {
  const cwd = createFolder()
  writeFileSync(join(cwd, 'fixture.yaml'), '# mine')
  const args = ['import', 'docs', '--out', 'fixture.yaml']
  expect(await run(args, cwd)).toEqual({
    code: 1,
    out: '',
    err: 'standin: --out: fixture.yaml is there already. Pass --force to replace it, or name another file.\n',
  })
  expect(readFileSync(join(cwd, 'fixture.yaml'), 'utf8')).toBe('# mine')
  expect((await run([...args, '--force'], cwd)).code).toBe(0)
  expect(readFileSync(join(cwd, 'fixture.yaml'), 'utf8')).toContain('fileSets')
})

test('without --out the fixture is on standard output, and the folder gives its name', async () => {
  const cwd = createFolder()
  const { code, out } = await run(['import', './docs/'], cwd)
  expect(code).toBe(0)
  expect(out.split('\n')[1]).toBe('  - id: "docs"')
  writeFileSync(join(cwd, 'out.yaml'), out)
  expect(await createTester({ fixtures: [join(cwd, 'out.yaml')] }).paths({ set: 'docs' })).toEqual(PATHS)
})

test('a folder is sent to a running server, once, or again with --replace', async () => {
  const cwd = createFolder()
  const standin = createStandin({ controlToken: 'a-secret-token' })
  onTestFinished(() => standin.stop())
  const url = await standin.start()
  const env = { STANDIN_CONTROL_TOKEN: 'a-secret-token' }
  const args = ['import', 'docs', '--as', 'documents', '--url', url, '--sandbox', 'mine']
  const first = await run(args, cwd, env)
  expect([first.code, first.err]).toEqual([
    0,
    expect.stringContaining(`${url} has the file set documents now: 2 files in 2 directories\n`),
  ])
  expect(await run(args, cwd, env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Pass --replace to take its place.') as string,
  })
  writeFileSync(join(cwd, 'docs/new'), '')
  const again = await run([...args, '--replace'], cwd, env)
  expect(again.err).toContain('3 files in 2 directories')
  expect((await run(args, cwd)).err).toContain(url)
})

test.for([
  [['--out', 'x.yaml', '--url', 'http://127.0.0.1:1'], '--out and --url exclude each other'],
  [['--url', 'http://127.0.0.1:1'], 'http://127.0.0.1:1 does not answer ('],
  [['--url', 'ftp://localhost'], '--url: Expected the address of a server, such as http://127.0.0.1:4010'],
  [['--replace'], '--sandbox and --replace need a running server'],
  [['--out', 'nowhere/x.yaml'], 'nowhere/x.yaml: it cannot be written'],
] as const)('%j is refused', async ([args, complaint]) => {
  const { code, out, err } = await run(['import', 'docs', ...args], createFolder())
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(complaint)
})

test('serve takes real folders as file sets', async () => {
  const cwd = createFolder()
  const { url } = await serve(['--folder', 'documents=docs', '--folder', 'more=docs/in'], { cwd })
  const response = await fetch(`${url}/__mock/file-sets/documents`)
  expect(await response.json()).toEqual({ id: 'documents', files: 2, directories: 2, version: 0 })
  expect((await fetch(`${url}/__mock/file-sets/more`)).status).toBe(200)
})

test('folders come from the environment and from the configuration file, too', async () => {
  const cwd = createFolder()
  writeFileSync(join(cwd, 'standin.yaml'), 'folders:\n  documents: docs\n')
  expect(await run(['check', '--config', 'standin.yaml'], cwd)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${PACKAGED.fileSets + 1} file sets`) as string,
  })
  expect((await run(['check'], cwd, { STANDIN_FOLDERS: 'a=docs,b=docs/in' })).out).toContain(
    `${PACKAGED.fileSets + 2} file sets`,
  )
  expect((await run(['check', '--folder', 'docs'], cwd)).err).toContain(
    '--folder: Expected the name of a file set and a directory, as in documents=./documents; got "docs".',
  )
  expect((await run(['check', '--folder', 'a=docs', '--folder', 'a=docs/in'], cwd)).err).toContain('is there twice')
  expect((await run(['check', '--folder', 'a=nowhere'], cwd)).err).toContain('nowhere: it is not there.')
})

/** Reads a file that takes minutes, until its progress is shown. */
async function interruptAfter(shown: RegExp, node: readonly string[] = []): Promise<void> {
  const cwd = createFolder()
  truncateSync(join(cwd, 'docs/a.pdf'), 400 * 2 ** 30)
  const command = startCommand(['import', 'docs', '--out', 'fixture.yaml'], { cwd, node })
  await vi.waitFor(() => expect(command.stderr()).toMatch(shown), 25_000)
  command.child.kill('SIGINT')
  expect(await command.ended).toBe(130)
  expect(command.stderr()).toMatch(/standin:\S* docs: stopped before the folder was read\.\n$/)
  expect(existsSync(join(cwd, 'fixture.yaml'))).toBe(false)
}

test('long work shows on a terminal how far it is, and Ctrl-C stops it with nothing left behind', async () => {
  const terminal = 'Object.assign(process.stderr, { isTTY: true, columns: 80 })'
  const bar = /\r\u001b\[K\[[#.]{24}\] docs: \d of 2 files read, \d+\.\d [MG]B/
  await interruptAfter(bar, ['--import', `data:text/javascript,${terminal}`])
})

longTest('elsewhere it writes a line every five seconds', async () => {
  await interruptAfter(/^docs: \d of 2 files read, \d+\.\d [MG]B\n$/)
})

const NOBODY = 65_534

/** The superuser may read everything, so the command is run as nobody. */
test.skipIf(process.getuid?.() !== 0)('files that may not be read are skipped with a message', async () => {
  const cwd = createFolder()
  chmodSync(cwd, 0o755)
  mkdirSync(join(cwd, 'docs/closed'))
  writeFileSync(join(cwd, 'docs/closed/x'), 'x')
  chmodSync(join(cwd, 'docs/closed'), 0o700)
  chmodSync(join(cwd, 'docs/a.pdf'), 0o600)
  const child = spawn(process.execPath, [CLI, 'import', 'docs'], { cwd, uid: NOBODY, gid: NOBODY, env: { HOME: cwd } })
  let [out, err] = ['', '']
  child.stdout.on('data', (part: Buffer) => (out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect([code, err.split('\n').sort()]).toEqual([
    0,
    [
      '',
      'standin: docs: 1 file (1 bytes) and 1 empty directory for the file set docs',
      'standin: docs: left out "a.pdf": this user may not read it',
      'standin: docs: left out "closed": this user may not read it',
    ],
  ])
  expect(out).not.toContain('a.pdf')
  expect(readFileSync(join(cwd, 'docs/a.pdf'), 'utf8')).toBe('%PDF')
})
