import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const ROUNDS = 15
const root = join(import.meta.dirname, '..')

/** From starting the process to the end of its first answer, for a bare server, the built command line and `npm start`, in turn. */
export async function start(): Promise<Record<string, string | number>[]> {
  const contenders: Record<string, (port: number) => readonly [string, readonly string[]]> = {
    'bare node:http': (port) => [
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { createServer } from 'node:http'; createServer((_, answer) => answer.end('{}')).listen(${port}, '127.0.0.1')`,
      ],
    ],
    'dist/cli.js serve': (port) => [process.execPath, ['dist/cli.js', 'serve', '--port', String(port)]],
    'npm start': (port) => ['npm', ['start', '--silent', '--', '--port', String(port)]],
  }
  const times = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]))
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, command] of Object.entries(contenders)) {
      const port = await freePort()
      const milliseconds = await firstAnswer(command(port), port)
      if (round >= 0) times.get(name)?.push(milliseconds)
    }
  }
  const bare = median(times.get('bare node:http') ?? [])
  return [...times].map(([name, all]) => ({
    what: name,
    'median ms': Math.round(median(all)),
    'min ms': Math.round(Math.min(...all)),
    'max ms': Math.round(Math.max(...all)),
    'times bare': Number((median(all) / bare).toFixed(2)),
  }))
}

async function firstAnswer([command, args]: readonly [string, readonly string[]], port: number): Promise<number> {
  const began = performance.now()
  const child = spawn(command, args, { cwd: root, stdio: 'ignore', detached: true })
  try {
    for (;;) {
      const answer = await ask(port)
      if (answer) return performance.now() - began
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    // npm is a family: the group is told, not the parent alone.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
}

async function ask(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/files/v1/filesets/demo/files/search?limit=10`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-developer-token': 'any' },
      body: '{}',
    })
    await answer.text()
    return answer.ok
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
