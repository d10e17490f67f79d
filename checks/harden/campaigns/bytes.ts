import assert from 'node:assert/strict'
import type { Rounds } from '../campaign.ts'
import { createChance } from '../chance.ts'
import { type Connection, openConnection, type Response } from '../connection.ts'
import { type Server, startServer } from '../server.ts'
import { createWildRequests } from '../wild-requests.ts'
import { installNode } from '../../../scripts/install-node.ts'

const SETTINGS = [
  { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
  { TZ: 'America/New_York', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' },
  { TZ: 'Asia/Kolkata', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
]

export async function open(): Promise<Rounds> {
  const runtimes = [process.execPath, process.env.NODE_24 ?? installNode('24')]
  const args = ['--seed', '7', '--clock', '2026-03-05T14:30:00.000Z', '--files', '200']
  const servers = await Promise.all(runtimes.flatMap((node) => SETTINGS.map((env) => startServer({ args, env, node }))))
  let compared = 0
  let sent: string[] = []
  return {
    async run({ seed, cases }) {
      sent = []
      const next = createWildRequests(createChance(seed), ['default', 'other'])
      const links = await Promise.all(servers.map((server) => createLink(server)))
      for (let number = 0; number < cases; number++) {
        const request = next()
        if (!request.isKept || isOfTheMachine(request.bytes)) continue
        sent.push(request.bytes)
        const [first, ...others] = await Promise.all(links.map((link) => link.send(request.bytes)))
        for (const other of others) assert.equal(other, first)
        compared++
      }
      for (const link of links) link.close()
      for (const server of servers) server.check()
    },
    requests: () => sent.slice(-20),
    async close() {
      for (const server of servers) await server.stop()
      return { 'compared requests': compared }
    },
  }
}

interface Link {
  /** @returns the response as it must be everywhere */
  send(request: string): Promise<string>
  close(): void
}

async function createLink({ url }: Server): Promise<Link> {
  let connection: Connection = await openConnection(url)
  return {
    async send(request) {
      const response = await connection.sendBytes(request)
      if (/\r\nconnection: close/i.test(response.head)) connection = await openConnection(url)
      return comparable(response, url)
    },
    close: () => connection.close(),
  }
}

/** Requests whose responses depend on the machine, its runtime or its clock: `info`, `metrics`, and a running clock. */
function isOfTheMachine(request: string): boolean {
  return /__mock\/(info|metrics)|running|machine/.test(request)
}

/** Values from the clock of the machine, such as how long something took. */
const MEASURED = /"(milliseconds|time|wait|send|receive|answeredAt|startedDateTime)":("[^"]*"|[\d.]+)/g

/**
 * Without the address and what was measured, without the length where something was, and without the `Date` of the control API:
 * `date` in lower case is that of the sandbox.
 */
function comparable({ head, text }: Response, url: string): string {
  const body = text.replaceAll(new URL(url).host, 'HOST')
  const rest = body.replaceAll(MEASURED, '"$1":0')
  const dateless = head.replace(/\r\nDate: [^\r]*/, '')
  return `${rest === body ? dateless : dateless.replace(/\r\ncontent-length: \d+/i, '')}\r\n\r\n${rest}`
}
