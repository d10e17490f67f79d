import type { Work } from './contenders/contender.ts'
import { BARE, CONTENDERS } from './contenders/contenders.ts'
import { createTrial } from './contenders/trial.ts'
import type { Trial } from './contenders/trial.ts'
import { freePort, untilAnswers } from './frame/ask.ts'
import type { Bench, Run } from './frame/bench.ts'
import { startChild } from './frame/children.ts'
import { compare } from './frame/compare.ts'
import { ROOT } from './frame/files.ts'
import { startLoader } from './frame/load.ts'
import type { Loader } from './frame/load.ts'
import { installPeers, versionOf } from './frame/peers.ts'
import { createTable } from './frame/result.ts'
import type { Measured, Samples, Table } from './frame/result.ts'
import { createScratch } from './frame/scratch.ts'
import { createVersus } from './frame/versus.ts'
import { versionOfWrk } from './frame/wrk.ts'
import { measureLoad, measureMillion, measureResident } from './load-matrix.ts'
import { HTTP_QUESTIONS } from './questions-http.ts'

const CONNECTIONS = 16
const RESIDENT = 'MiB resident after the load'
/** What repeats nothing but one request: all contenders are asked that. */
const ASKS = HTTP_QUESTIONS.filter(({ bodies }) => bodies === undefined)
/** The page that memory and a file set of a million are looked at with. */
const MAIN = 'example search, 10'
const PEER_PACKAGES = [
  'wiremock',
  '@mockoon/cli',
  '@stoplight/prism-cli',
  '@scalar/mock-server',
  'json-server',
  'autocannon',
]

export const http: Bench = {
  about:
    'Responses a second to the interface’s own example of a search and to others, beside servers that send one canned response.',
  run: async (run) => {
    await installPeers(run.progress)
    const loader = startLoader()
    const folder = createScratch()
    try {
      return await measure(run, loader, folder)
    } finally {
      await loader.child.stop()
    }
  },
}

async function measure(run: Run, loader: Loader, folder: string): Promise<Measured> {
  const load = await measureLoad(run, loader, folder)
  const others = [...(await measureMillion(run)), await measureResident(run, loader, folder)]
  const outcomes = []
  for (const work of await prepareWorks()) outcomes.push(await measureWork(work, run, loader, folder))
  const peers = PEER_PACKAGES.map((name) => [name, versionOf(name)] as const)
  return {
    tables: [
      ...load.filter(({ detail = false }) => !detail).sort(byUnit),
      ...others,
      ...outcomes.map(({ speed }) => speed),
      ...outcomes.map(({ speed }) => createVersus(speed, 'Standin', 'Standin, times as fast as')),
      ...load.filter(({ detail = false }) => detail).sort(byUnit),
      ...outcomes.flatMap(({ others }) => others).sort(byUnit),
    ],
    versions: {
      express: versionOf('express', ROOT),
      ...Object.fromEntries(peers),
      wrk: versionOfWrk() ?? 'not installed',
    },
    notes: [
      ...CONTENDERS.map(({ name, does }) => `**${name}** ${does}.`),
      'The example search has a LIKE filter on the name, a date filter on `created`, and a sort by it; the number is its `limit`. Ten in rotation look for ten words; of those that are new each has another date. Creates make the state of Standin and of json-server grow with each request; the others forget them.',
      'The load generator shares the machine with the server. Where it is the slower one of the two, as it may be for the fastest servers, processor time an answer is the fairer measure.',
      'The first tables are of Standin and the bare server alone, alternated in one run; the others are measured by autocannon over 16 connections. Load generators run in processes of their own; one answer that is no success, and the contender is out.',
    ],
    details: {
      connections: CONNECTIONS,
      answers: Object.fromEntries(outcomes.map(({ answers }) => answers)),
    },
  }
}

function byUnit(a: Table, b: Table): number {
  return a.unit < b.unit ? -1 : a.unit > b.unit ? 1 : 0
}

/** Asks Standin each thing once, for the others are given its answers. */
async function prepareWorks(): Promise<Work[]> {
  const port = await freePort()
  const child = startChild(process.execPath, ['dist/cli.js', 'serve', '--log', 'silent', '--port', String(port)], {
    cwd: ROOT,
  })
  try {
    const works: Work[] = []
    for (const { title, kind, ask } of ASKS)
      works.push({
        title,
        kind,
        ask,
        answer: (await untilAnswers(child, port, ask)).text,
      })
    return works
  } finally {
    await child.stop()
  }
}

/** Starts all servers, checks their responses, loads them in turn, and measures their memory afterwards. */
async function measureWork(work: Work, run: Run, loader: Loader, folder: string) {
  const { title } = work
  const trials: Trial[] = []
  try {
    for (const contender of CONTENDERS.filter(({ only }) => only?.includes(title) ?? true)) {
      run.progress(`${title}: starting ${contender.name}`)
      trials.push(
        await createTrial({
          contender,
          work,
          loader,
          folder,
          connections: CONNECTIONS,
          seconds: 1,
        }),
      )
    }
    const speed = await compare({
      title,
      unit: 'responses/s',
      better: 'more',
      reference: BARE,
      rounds: run.quick ? 1 : 3,
      contenders: Object.fromEntries(trials.map((trial) => [trial.name, trial.sample])),
      notes: Object.fromEntries(trials.flatMap(({ name, remark }) => (remark === undefined ? [] : [[name, remark]]))),
      progress: run.progress,
    })
    return {
      speed,
      others: weigh(title, trials),
      answers: [title, Object.fromEntries(trials.map(({ name, answer }) => [name, answer]))] as const,
    }
  } finally {
    for (const trial of trials) await trial.stop()
  }
}

function weigh(title: string, trials: readonly Trial[]): Table[] {
  const table = (unit: string, figure: (trial: Trial) => readonly number[] | string) => {
    const samples: Samples = Object.fromEntries(trials.map((trial) => [trial.name, figure(trial)]))
    // One look at memory is enough for the chart.
    const chart = unit === RESIDENT && title === MAIN
    return createTable({ title, unit, better: 'less', reference: BARE, chart, detail: !chart }, samples)
  }
  return [
    table(RESIDENT, (trial) => trial.resident()),
    table('MiB resident at the peak', (trial) => trial.peak()),
    table('µs of processor time an answer', (trial) => trial.processorTimes()),
  ]
}
