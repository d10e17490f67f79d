import { Agent, request } from 'node:http'
import { type Ask, askPage, freePort, untilAnswers } from './frame/ask.ts'
import type { Bench } from './frame/bench.ts'
import { startChild } from './frame/children.ts'
import { compare } from './frame/compare.ts'
import { ROOT } from './frame/files.ts'
import { createScratch } from './frame/scratch.ts'
import { median } from './frame/spread.ts'

/** Requests of one sample, one after the other. */
const REQUESTS = 500

export const proxy: Bench = {
  about:
    'A page of 10 of a stand-in, asked directly and through `standin proxy` on the same machine, in turn; each figure is a median of 500.',
  async run({ quick, progress }) {
    const started = [await startServer(['serve'])]
    const [service] = started
    if (!service) throw new Error('no service')
    try {
      const proxied = await startServer(['proxy', '--upstream', `http://127.0.0.1:${service.port}`])
      started.push(proxied)
      const recorded = await startServer([
        'proxy',
        '--upstream',
        `http://127.0.0.1:${service.port}`,
        '--record',
        createScratch(),
      ])
      started.push(recorded)
      const agent = new Agent({ keepAlive: true })
      const contender =
        ({ port }: Server) =>
        () =>
          sample(port, agent)
      const table = await compare({
        title: 'one request after the other',
        unit: 'ms',
        better: 'less',
        reference: 'direct',
        rounds: quick ? 3 : 15,
        contenders: {
          direct: contender(service),
          'through the proxy': contender(proxied),
          'through the proxy, recorded': contender(recorded),
        },
        progress,
      })
      agent.destroy()
      return { tables: [table] }
    } finally {
      for (const { child } of started) await child.stop()
    }
  },
}

interface Server {
  readonly child: ReturnType<typeof startChild>
  readonly port: number
}

async function startServer(args: readonly string[]): Promise<Server> {
  const port = await freePort()
  const child = startChild(process.execPath, ['dist/cli.js', ...args, '--log', 'silent', '--port', String(port)], {
    cwd: ROOT,
  })
  await untilAnswers(child, port, PAGE)
  return { child, port }
}

const PAGE = askPage(10)

/** The median of so many requests over one connection, in milliseconds. */
async function sample(port: number, agent: Agent): Promise<number> {
  const taken: number[] = []
  for (let count = 0; count < REQUESTS; count++) taken.push(await ask(port, agent, PAGE))
  return median(taken)
}

function ask(port: number, agent: Agent, { method, path, headers, body = '' }: Ask): Promise<number> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const sent = { ...headers, 'content-length': Buffer.byteLength(body) }
    request({ host: '127.0.0.1', port, method, path, headers: sent, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
      response.resume().once('end', () => resolve(performance.now() - began))
    })
      .once('error', reject)
      .end(body)
  })
}
