import { execFileSync, spawnSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { CLI, createDirectory, runCommand } from '../support/command.ts'

async function run(...args: readonly string[]): Promise<string> {
  const command = runCommand(args)
  expect([await command.ended, command.stderr()]).toEqual([0, ''])
  return command.stdout()
}

/** What the last word may become. */
async function complete(...words: readonly string[]): Promise<string[]> {
  const lines = (await run('complete', '--', ...words)).split('\n').slice(0, -1)
  return lines.map((line) => line.split('\t')[0] ?? '')
}

test('commands, flags and values are completed, with what they are for', async () => {
  expect(await run('complete', '--', 'se')).toBe('serve\tstart the server\n')
  expect(await complete('')).toEqual(expect.arrayContaining(['serve', 'check', 'wait', 'completion', 'help']))
  expect(await complete('')).not.toContain('complete')
  expect(await complete('serve', '--watch', '--sel')).toEqual(['--self-check'])
  expect(await complete('check', '--f')).toEqual(['--files', '--fixtures', '--folder', '--format'])
  expect(await complete('serve', '--profile', '')).toEqual(['default', 'document-only', 'observed'])
  expect(await complete('serve', '--log', 'j')).toEqual(['json'])
  expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish'])
})

test('a value behind an equals sign is completed, as one word and as three', async () => {
  expect(await complete('serve', '--log=j')).toEqual(['--log=json'])
  expect(await complete('serve', '--log', '=', 'j')).toEqual(['json'])
  expect(await complete('serve', '--log', '=')).toEqual(['pretty', 'verbose', 'json', 'silent'])
})

test('where a path or any text may stand there is no suggestion, so the shell completes paths', async () => {
  expect(await complete('serve', '--contract', '')).toEqual([])
  expect(await complete('replay', '')).toEqual([])
  expect(await complete('import', 'docs', '')).toEqual([])
})

/** Runs the lines in a shell that has the script and a file to complete. */
async function inShell(shell: 'bash' | 'zsh' | 'fish', lines: string): Promise<string[]> {
  const { path, remove } = createDirectory({ 'openapi.yaml': '' })
  onTestFinished(remove)
  const script = await run('completion', shell)
  const node = `'${process.execPath}' '${CLI}'`
  const own = shell === 'fish' ? `function standin; ${node} $argv; end` : `standin() { ${node} "$@"; }`
  const arguments_ = shell === 'bash' ? ['--norc', '-c'] : shell === 'zsh' ? ['-f', '-c'] : ['--no-config', '-c']
  const before = shell === 'zsh' ? 'autoload -U compinit; compinit -u -D\n' : ''
  const all = `${before}${own}\n${script}\n${lines}`
  const out = execFileSync(shell, [...arguments_, all], {
    cwd: path,
    encoding: 'utf8',
    env: { ...process.env, HOME: path },
  })
  return out.split('\n').filter((line) => line !== '')
}

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

test.runIf(has('bash'))('Bash completes by the script, and paths by itself', async () => {
  const asked = (...words: readonly string[]) =>
    `COMP_WORDS=(standin ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _standin; echo "\${COMPREPLY[*]}"`
  const lines = [
    asked('hea'),
    asked('serve', '--log', 'j'),
    asked('serve', '--log', '=', 'v'),
    'complete -p standin',
    `${asked('serve', '--contract', '')}none`,
  ]
  expect(await inShell('bash', lines.join('\n'))).toEqual([
    'health',
    'json',
    'verbose',
    'complete -o default -F _standin standin',
    'none',
  ])
})

test.runIf(has('zsh'))('Zsh completes by the script, and paths by itself', async () => {
  const shown = `_describe() { print -l -- "\${(@P)2}" }\n_files() { print -l paths }\n`
  const asked = (...words: readonly string[]) =>
    `words=(standin ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _standin`
  const lines = [
    asked('hea'),
    asked('serve', '--log', 'j'),
    asked('serve', '--contract', ''),
    asked('serve', '--contr'),
  ]
  expect(await inShell('zsh', shown + lines.join('\n'))).toEqual([
    'health:check whether a server is ready: exits with 0, else 1',
    'json:',
    'paths',
    '--contract:another OpenAPI document, 3.0 or 3.1, or Swagger 2.0',
    '--control-token:bearer token of the control API (default: only clients on this machine)',
  ])
})

test.runIf(has('fish'))('fish completes by the script, paths too', async () => {
  const lines = ['standin hea', 'standin serve --log j', 'standin serve --contract op'].map(
    (line) => `complete -C '${line}'`,
  )
  expect(await inShell('fish', lines.join('\n'))).toEqual([
    'health\tcheck whether a server is ready: exits with 0, else 1',
    'json',
    'openapi.yaml',
  ])
})

test('another shell is refused', async () => {
  const { ended, stderr } = runCommand(['completion', 'tcsh'])
  expect([await ended, stderr()]).toEqual([
    1,
    "standin: command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish. See standin completion --help.\n",
  ])
})
