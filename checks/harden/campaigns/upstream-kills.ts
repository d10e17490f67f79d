import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Rounds } from '../campaign.ts'
import { createChance } from '../chance.ts'
import { startCommand } from '../../../test/support/command.ts'

const CLIENTS = 8
/** Bytes of each response. */
const LENGTH = 20_000
/** Milliseconds after which a request counts as hanging; the proxy gives the service two seconds. */
const HANGS = 20_000

/** Responds in pieces, so that a kill meets every moment of a response. */
const SERVICE = `
require('node:http').createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': ${LENGTH} })
    let left = ${LENGTH}
    const write = () => {
      if (left === 0) return response.end()
      left -= ${LENGTH / 4}
      response.write('x'.repeat(${LENGTH / 4}))
      setTimeout(write, Math.random() * 6)
    }
    setTimeout(write, Math.random() * 6)
  })
}).listen(Number(process.argv[1]), '127.0.0.1', function () { console.log(this.address().port) })`

async function startService(port: number): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = spawn(process.execPath, ['-e', SERVICE, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, port: Number(line.toString()) }
}

/** How a request ended for its client. */
type End = 'whole' | 'refused' | 'broken off'

/** One request, through to its end. @throws Error for one that hangs, or ends in a way that says nothing */
async function send(url: string, agent: Agent, chance: () => number): Promise<End> {
  const method = chance() < 0.5 ? 'GET' : 'POST'
  const sending = request(url, { method, agent, timeout: HANGS })
  sending.on('timeout', () => sending.destroy(new Error(`${url} hangs`)))
  const body = method === 'POST' ? 'y'.repeat(Math.floor(chance() * 100_000)) : undefined
  sending.end(body)
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
  } catch {
    return 'broken off'
  }
  if (response.statusCode === 200 && text.length === LENGTH) return 'whole'
  const { type = '', detail = '' } = text.startsWith('{') ? (JSON.parse(text) as Record<string, string>) : {}
  if (/^50[24]$/.test(String(response.statusCode)) && type.startsWith('/problems/upstream-') && detail !== '')
    return 'refused'
  throw new Error(`${url}: ${response.statusCode} ${text.slice(0, 500)}`)
}

/** What the proxy logged of each request that did not end well: its path, and why. */
function explanationsIn(log: string): ReadonlyMap<string, string> {
  return new Map(
    log.split('\n').flatMap((line) => {
      if (!line.includes('"exchange"')) return []
      const { url = '', problem } = JSON.parse(line) as { url?: string; problem?: string }
      return problem === undefined ? [] : [[url, problem] as const]
    }),
  )
}

export function open(): Promise<Rounds> {
  const figures = { whole: 0, refused: 0, 'broken off': 0, kills: 0 }
  return Promise.resolve({
    async run({ seed, cases }) {
      const chance = createChance(seed)
      let service = await startService(0)
      const proxy = startCommand([
        ...['proxy', '--upstream', `http://127.0.0.1:${service.port}`, '--port', '0'],
        ...['--timeout', '2', '--log', 'json', '--contract', 'examples/shop/contract.yaml'],
      ])
      await proxy.until(/"url":"http[^"]+"/)
      const url = /"url":"(http[^"]+)"/.exec(proxy.stdout())?.[1] ?? ''
      const over = new AbortController()
      const killing = (async () => {
        while (!over.signal.aborted) {
          await pause(20 + chance() * 150)
          service.child.kill('SIGKILL')
          await once(service.child, 'close')
          figures.kills++
          await pause(chance() * 60)
          service = await startService(service.port)
        }
      })()
      const ends = new Map<string, End>()
      let next = 0
      const agent = new Agent({ keepAlive: true })
      await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          for (let number = next++; number < cases; number = next++) {
            const end = await send(`${url}/${number}`, agent, chance)
            ends.set(`/${number}`, end)
            // As a client does; otherwise most requests would come while the service starts.
            if (end !== 'whole') await pause(50)
          }
        }),
      )
      over.abort()
      await killing
      if ((await send(`${url}/last`, agent, chance)) !== 'whole') throw new Error('the proxy did not recover')
      agent.destroy()
      service.child.kill('SIGKILL')
      proxy.child.kill('SIGTERM')
      const code = await proxy.ended
      if (code !== 0 || proxy.stderr() !== '') throw new Error(`the proxy ended with ${code}: ${proxy.stderr()}`)
      const explained = explanationsIn(proxy.stdout())
      for (const [path, end] of ends) {
        figures[end]++
        const why = explained.get(path) ?? ''
        if (end !== 'whole' && !/closed the connection|nothing listens|sent no|for 2 s/.test(why))
          throw new Error(`${path} was ${end} without a reason: ${why || 'none'}`)
      }
    },
    close: () => Promise.resolve(figures),
  })
}
