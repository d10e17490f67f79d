import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PEERS } from '../frame/peers.ts'
import { ROOT } from '../frame/files.ts'
import type { Command, Contender, Start } from './contender.ts'
import { describeForJsonServer } from './json-server.ts'
import { describeForMockoon } from './mockoon.ts'
import { describeForWireMock } from './wiremock.ts'

const SERVERS = join(ROOT, 'bench/servers')
const CONTRACT = join(ROOT, 'spec/openapi.yaml')
const node = process.execPath

/** A file with the answer, for the servers that send what they are given. */
function answerFile({ folder, work }: Start): string {
  return write(folder, 'answer.json', work.answer)
}

function write(folder: string, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function standin(port: number, ...flags: string[]): Command {
  return {
    command: node,
    args: ['dist/cli.js', 'serve', '--log', 'silent', '--port', String(port), ...flags],
  }
}

export const BARE = 'bare node:http'

/** In the order of the tables. */
export const CONTENDERS: readonly Contender[] = [
  {
    name: BARE,
    does: 'sends the bytes of Standin’s answer, whatever is asked, and reads nothing',
    start: (start) => ({
      command: node,
      args: [join(SERVERS, 'bare.js'), String(start.port), answerFile(start)],
    }),
  },
  {
    name: 'Express',
    does: 'reads the body with express.json and sends the same object with res.json',
    start: (start) => ({
      command: node,
      args: [join(SERVERS, 'express.js'), String(start.port), answerFile(start)],
    }),
  },
  {
    name: 'Standin',
    does: 'does the full job: key, contract, stateful search or write, signed cursor',
    start: ({ port }) => standin(port),
  },
  {
    name: 'Standin, 1,000,000 files',
    does: 'does the same in a file set of a million',
    start: ({ port }) => standin(port, '--files', '1000000'),
    only: ['example search, 10'],
  },
  {
    name: 'WireMock',
    does: 'sends the same bytes from a stub mapping, its request journal off, after eight seconds to warm up',
    warmUp: 8,
    start: ({ port, folder, work }) => {
      describeForWireMock(folder, work)
      const jar = `${PEERS}/node_modules/wiremock/build/wiremock-standalone-3.13.2.jar`
      const flags = ['--bind-address', '127.0.0.1', '--no-request-journal', '--disable-banner', '--root-dir', folder]
      return {
        command: 'java',
        args: ['-jar', jar, '--port', String(port), ...flags],
      }
    },
  },
  {
    name: 'Mockoon CLI',
    does: 'sends the same bytes from a route of its environment, templating off',
    start: ({ port, folder, work }) => {
      const data = write(folder, 'environment.json', describeForMockoon(work, port))
      const flags = ['--disable-log-to-file', '--disable-admin-api', '--max-transaction-logs', '1']
      return {
        command: node,
        args: [bin('mockoon-cli'), 'start', '--data', data, '--port', String(port), ...flags],
      }
    },
  },
  {
    name: 'Prism CLI',
    does: 'holds the request against the contract and sends an example of it, two entries whatever the limit; no log',
    start: ({ port }) => ({
      command: node,
      args: [bin('prism'), 'mock', CONTRACT, '--port', String(port), '--verboseLevel', 'silent'],
    }),
  },
  {
    name: '@scalar/mock-server',
    does: 'holds the request against the contract and sends an example of it, two entries whatever the limit',
    start: ({ port }) => ({
      command: node,
      args: [join(SERVERS, 'scalar.js'), String(port), CONTRACT],
    }),
  },
  {
    name: 'json-server',
    does: 'answers a GET of the same page from db.json, as it cannot answer a POST with one; its writes go to that file',
    start: ({ port, folder, work }) => {
      const { database, ask } = describeForJsonServer(work)
      const data = write(folder, 'db.json', database)
      const flags = ['--host', '127.0.0.1', '--quiet', '--snapshots', folder]
      return {
        command: node,
        args: [bin('json-server'), data, '--port', String(port), ...flags],
        ask,
      }
    },
  },
]

/** Links of `.bin` are resolved by Node, and run by the Node that runs the bench. */
function bin(name: string): string {
  return join(PEERS, 'node_modules/.bin', name)
}
