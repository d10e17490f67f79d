/** Standin beside the bare server, alternated: each question, by both load generators, over few and many connections. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BARE } from './contenders/contenders.ts'
import { askPage, freePort, send, untilAnswers } from './frame/ask.ts'
import type { Run } from './frame/bench.ts'
import { type Child, startChild } from './frame/children.ts'
import { rotate } from './frame/compare.ts'
import { ROOT } from './frame/files.ts'
import type { Counted, Load, Loader } from './frame/load.ts'
import { residentOf } from './frame/process-figures.ts'
import { createTable, type Table } from './frame/result.ts'
import { runWrk, versionOfWrk } from './frame/wrk.ts'
import { HTTP_QUESTIONS, type HttpQuestion } from './questions-http.ts'

const STANDIN = 'Standin'
const CONNECTIONS = [16, 1, 64]
const NO_WRK = 'wrk is not installed'
const PERCENTILES = [
  ['p50', 'p50'],
  ['p99', 'p99'],
  ['p999', 'p99.9'],
] as const

type Generate = (load: Load) => Promise<Counted>

interface Generator {
  readonly name: string
  /** Undefined where it is not installed. */
  readonly generate: Generate | undefined
}

interface Server {
  readonly name: string
  readonly child: Child
  readonly port: number
}

export async function measureLoad(run: Run, loader: Loader, folder: string): Promise<Table[]> {
  const wrk = versionOfWrk() === undefined ? undefined : (load: Load) => runWrk(load, folder)
  const generators = [
    { name: 'wrk', generate: wrk },
    { name: 'autocannon', generate: loader.run },
  ]
  const tables: Table[] = []
  for (const question of HTTP_QUESTIONS) {
    const servers = await startBoth(question, folder)
    try {
      for (const generator of generators)
        for (const connections of run.quick ? CONNECTIONS.slice(0, 1) : CONNECTIONS)
          tables.push(
            ...(await measureOne(run, {
              question,
              servers,
              generator,
              connections,
            })),
          )
    } finally {
      for (const { child } of servers) await child.stop()
    }
  }
  return tables
}

async function startBoth(question: HttpQuestion, folder: string): Promise<Server[]> {
  const standin = await startStandin()
  const { text } = await untilAnswers(standin.child, standin.port, question.ask)
  const body = join(folder, 'body.json')
  writeFileSync(body, text)
  const port = await freePort()
  const bare = startChild(process.execPath, ['bench/servers/bare.js', String(port), body], { cwd: ROOT })
  await untilAnswers(bare, port, question.ask)
  return [{ name: BARE, child: bare, port }, standin]
}

async function startStandin(...flags: string[]): Promise<Server> {
  const port = await freePort()
  const args = ['dist/cli.js', 'serve', '--log', 'silent', '--port', String(port), ...flags]
  return {
    name: STANDIN,
    child: startChild(process.execPath, args, { cwd: ROOT }),
    port,
  }
}

interface Measurement {
  readonly question: HttpQuestion
  readonly servers: readonly Server[]
  readonly generator: Generator
  readonly connections: number
}

/** Moments that no sample has in common with another: each begins a million milliseconds later. */
let samples = 0
const FIRST_MOMENT = Date.parse('2023-01-01T00:00:00.000Z')

async function measureOne(run: Run, { question, servers, generator, connections }: Measurement): Promise<Table[]> {
  const isMain = generator.name === 'wrk' && connections === 16
  const [rounds, seconds] = run.quick ? [1, 1] : isMain ? [3, 2] : [2, 1]
  const counted: Record<string, Counted[]> = Object.fromEntries(servers.map(({ name }) => [name, []]))
  const { title, ask, bodies } = question
  for (let round = 0; generator.generate && round <= rounds; round++)
    for (const { name, port } of rotate(servers, round)) {
      run.progress(
        `${title}, ${generator.name}, ${connections} connections: ${round === 0 ? 'warm-up' : round}, ${name}`,
      )
      const firstMoment = FIRST_MOMENT + samples++ * 1_000_000
      const result = await generator.generate({ port, ask, bodies, firstMoment, connections, seconds })
      if (round > 0) counted[name]?.push(result)
    }
  const occasion = `${generator.name}, ${connections} connection${connections === 1 ? '' : 's'}`
  const tableOf = (unit: string, better: 'more' | 'less', figure: (one: Counted) => number) =>
    createTable(
      {
        title,
        unit: `${unit} (${occasion})`,
        better,
        reference: BARE,
        chart: isMain && better === 'more',
        detail: !isMain,
      },
      Object.fromEntries(
        servers.map(({ name }) => [name, generator.generate ? (counted[name] ?? []).map(figure) : NO_WRK]),
      ),
    )
  return [
    tableOf('responses/s', 'more', ({ answered, duration }) => answered / duration),
    ...PERCENTILES.map(([key, name]) => tableOf(`ms ${name}`, 'less', (one) => one[key])),
  ]
}

/** What is resident after 100,000 searches, each of them new. */
export async function measureResident(run: Run, loader: Loader, folder: string): Promise<Table> {
  const question = HTTP_QUESTIONS.find(({ title }) => title === 'each search new')
  if (!question) throw new Error('the question is gone')
  const servers = await startBoth(question, folder)
  const amount = run.quick ? 10_000 : 100_000
  const taken: Record<string, number[]> = {}
  try {
    for (const { name, port, child } of servers) {
      run.progress(`${amount} requests: ${name}`)
      const { ask, bodies } = question
      await loader.run({
        port,
        ask,
        bodies,
        firstMoment: FIRST_MOMENT,
        connections: 16,
        amount,
      })
      taken[name] = [residentOf(child.pid)]
    }
  } finally {
    for (const { child } of servers) await child.stop()
  }
  const title = `${amount.toLocaleString('en-US')} searches, each new`
  return createTable(
    {
      title,
      unit: 'MiB resident after',
      better: 'less',
      reference: BARE,
      chart: false,
    },
    taken,
  )
}

const like = (word: string) => ({
  filters: [{ field: 'name', operator: 'LIKE', value: [word], not: false }],
})
const by = (...fields: string[]) => ({
  fieldSort: fields.map((field) => ({ field, order: 'DESC' })),
})
const TWO_KEYS = [
  ['fileType', 'size'],
  ['createdBy', 'size'],
  ['contentType', 'createdBy'],
  ['size', 'created'],
] as const

/** Single requests over a million files, by one client that waits for each answer. */
export async function measureMillion(run: Run): Promise<Table[]> {
  run.progress('a million files: starting Standin')
  const server = await startStandin('--files', '1000000')
  const { port, child } = server
  try {
    await untilAnswers(child, port, askPage(10), 120)
    const time = async (query: object) => {
      const began = performance.now()
      await send(port, askPage(10, query), 60)
      return performance.now() - began
    }
    const series = async (queries: readonly object[]) => {
      const times: number[] = []
      for (const query of queries) times.push(await time(query))
      return times
    }
    // What the first request of each kind makes for all later ones is not what is measured here.
    await series([by('created'), like('warm'), { ...like('budget'), ...by('name', 'size') }])
    const questions: readonly [string, readonly object[]][] = [
      ['cold LIKE', ['zqa', 'zqb', 'zqc', 'zqd', 'zqe'].map(like)],
      ['cold LIKE, new sort by two keys', TWO_KEYS.map((fields) => ({ ...like('report'), ...by(...fields) }))],
      ['page 1 by date', Array.from({ length: 20 }, () => by('created'))],
    ]
    const tables: Table[] = []
    for (const [title, queries] of questions) {
      const unit = 'ms of one request over 1,000,000 files'
      tables.push(createTable({ title, unit, better: 'less', chart: false }, { [STANDIN]: await series(queries) }))
    }
    return tables
  } finally {
    await child.stop()
  }
}
