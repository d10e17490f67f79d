import { join } from 'node:path'
import { askPage, askUpdate, freePort, send, untilAnswers } from './frame/ask.ts'
import type { Ask } from './frame/ask.ts'
import type { Bench, Run } from './frame/bench.ts'
import { startChild } from './frame/children.ts'
import { rotate } from './frame/compare.ts'
import { ROOT } from './frame/files.ts'
import { startLoader } from './frame/load.ts'
import type { Loader } from './frame/load.ts'
import { installPeers, versionOf } from './frame/peers.ts'
import { residentOf } from './frame/process-figures.ts'
import { createTable } from './frame/result.ts'
import type { Table } from './frame/result.ts'

const BARE = 'bare node:http'
/** How long a process is left alone before it is weighed, in milliseconds. */
const REST = 1500
const REQUESTS = 100_000
const UNSORTED = 'Standin, nothing sorted'
/** What the behaviour `sort.fields` lists. */
const SORTED = ['path', 'id', 'name', 'fileType', 'contentType', 'size', 'created', 'createdBy']

/** One process that is weighed at each of its stages. */
interface Subject {
  readonly name: string
  readonly args: readonly string[]
  /** Asked until it answers, when the process has come up: nothing that would sort. */
  readonly ready: Ask
  readonly stages: readonly Stage[]
}

interface Stage {
  readonly table: string
  /** What the row is called. */
  readonly row: string
  /** What happens before the process is weighed; nothing, when it is weighed as it came up. */
  readonly before?: (port: number, loader: Loader) => Promise<unknown>
}

export const memory: Bench = {
  about: 'Memory that a server process has resident, a second and a half after the last thing that it did.',
  run: async (run) => {
    await installPeers(run.progress)
    const loader = startLoader()
    try {
      const samples = await weighAll(createSubjects(run.large), run, loader)
      return {
        tables: [...samples].map(([title, taken]) => createStageTable(title, taken)),
        versions: { express: versionOf('express', ROOT), autocannon: versionOf('autocannon') },
        notes: [
          `The ${REQUESTS.toLocaleString('en-US')} requests are searches for a page of 10, which bare node:http and Express answer with “{}”.`,
          `“All sorts” is one page each, sorted by ${SORTED.join(', ')}, in the process that had a million files before.`,
        ],
      }
    } finally {
      await loader.child.stop()
    }
  },
}

function createSubjects(large: boolean): Subject[] {
  const standin = (name: string, flags: readonly string[], stages: readonly Stage[]): Subject => {
    const args = ['dist/cli.js', 'serve', '--log', 'silent', ...flags, '--port']
    return { name, args, ready: askUpdate(), stages }
  }
  const other = (name: string, file: string): Subject => {
    return { name, args: [join(import.meta.dirname, 'servers', file)], ready: askPage(10), stages: restAndLoad(name) }
  }
  return [
    other(BARE, 'bare.js'),
    other('Express, bare', 'express.js'),
    standin('Standin', [], restAndLoad('Standin')),
    standin('Standin, 1,000,000 files', ['--files', '1000000'], millionStages()),
    ...(large
      ? [standin('Standin, 10,000,000 files', ['--files', '10000000'], [{ table: 'ten million files', row: UNSORTED }])]
      : []),
  ]
}

function restAndLoad(row: string): Stage[] {
  const before: Stage['before'] = (port, loader) =>
    loader.run({ port, ask: askPage(10), connections: 32, amount: REQUESTS })
  return [
    { table: 'initial state, at rest', row },
    { table: `after ${REQUESTS.toLocaleString('en-US')} requests`, row, before },
  ]
}

function millionStages(): Stage[] {
  const table = 'a million files'
  const sortAll = async (port: number) => {
    for (const field of SORTED) await askSorted(port, field)
  }
  return [
    { table, row: UNSORTED },
    { table, row: 'Standin, sorted by path', before: (port) => askSorted(port, 'path') },
    { table, row: 'Standin, all sorts', before: sortAll },
  ]
}

async function askSorted(port: number, field: string): Promise<void> {
  const { status, text } = await send(port, askPage(10, { fieldSort: [{ field, order: 'ASC' }] }), 120)
  if (status !== 200) throw new Error(`a search sorted by ${field} was answered with ${status}: ${text}`)
}

/** Table → row → MiB, one for each round. */
type Weights = Map<string, Record<string, number[]>>

async function weighAll(subjects: readonly Subject[], { quick, progress }: Run, loader: Loader): Promise<Weights> {
  const weights: Weights = new Map()
  const rounds = quick ? 1 : 5
  for (let round = 0; round < rounds; round++) {
    for (const subject of rotate(subjects, round)) {
      progress(`round ${round + 1} of ${rounds}, ${subject.name}`)
      for (const [{ table, row }, mebibytes] of await weigh(subject, loader)) {
        const stage = weights.get(table) ?? {}
        weights.set(table, stage)
        ;(stage[row] ??= []).push(mebibytes)
      }
    }
  }
  return weights
}

async function weigh({ args, ready, stages }: Subject, loader: Loader): Promise<[Stage, number][]> {
  const port = await freePort()
  const child = startChild(process.execPath, [...args, String(port)], { cwd: ROOT })
  try {
    await untilAnswers(child, port, ready)
    const weights: [Stage, number][] = []
    for (const stage of stages) {
      await stage.before?.(port, loader)
      await new Promise((resolve) => setTimeout(resolve, REST))
      weights.push([stage, residentOf(child.pid)])
    }
    return weights
  } finally {
    await child.stop()
  }
}

function createStageTable(title: string, samples: Readonly<Record<string, number[]>>): Table {
  const reference = samples[BARE] ? { reference: BARE } : {}
  return createTable({ title, unit: 'MiB', better: 'less', ...reference }, samples)
}
