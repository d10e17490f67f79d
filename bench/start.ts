import { join } from 'node:path'
import { askPage, freePort, untilAnswers } from './frame/ask.ts'
import type { Bench } from './frame/bench.ts'
import { startChild } from './frame/children.ts'
import { compare } from './frame/compare.ts'
import { ROOT } from './frame/files.ts'

export const start: Bench = {
  about: 'From starting the process to the end of its first response, a page of 10 of the initial state.',
  run: async ({ quick, progress }) => ({
    tables: [
      await compare({
        title: 'start to first response',
        unit: 'ms',
        better: 'less',
        reference: 'bare node:http',
        rounds: quick ? 3 : 15,
        contenders: {
          'bare node:http': () => firstAnswer(process.execPath, [join(import.meta.dirname, 'servers/bare.js')]),
          'Express, bare': () => firstAnswer(process.execPath, [join(import.meta.dirname, 'servers/express.js')]),
          'Standin, dist/cli.js serve': () => firstAnswer(process.execPath, ['dist/cli.js', 'serve', '--port']),
          'Standin, npm start': () => firstAnswer('npm', ['start', '--silent', '--', '--port']),
        },
        progress,
      }),
    ],
  }),
}

/** Milliseconds. The port comes last on the command line. */
async function firstAnswer(command: string, args: readonly string[]): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  const child = startChild(command, [...args, String(port)], { cwd: ROOT })
  try {
    await untilAnswers(child, port, askPage(10))
    return performance.now() - began
  } finally {
    await child.stop()
  }
}
