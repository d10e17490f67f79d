import type { Work } from './contenders/contender.ts'
import { BARE, CONTENDERS } from './contenders/contenders.ts'
import { createTrial } from './contenders/trial.ts'
import type { Trial } from './contenders/trial.ts'
import { askCreate, askPage, askUpdate, freePort, untilAnswers } from './frame/ask.ts'
import type { Ask } from './frame/ask.ts'
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

const CONNECTIONS = 32
const RESIDENT = 'MiB resident after the load'
const NEWEST_FIRST = { fieldSort: [{ field: 'created', order: 'DESC' }] }
const ASKS: Readonly<Record<string, readonly [Work['kind'], Ask]>> = {
  'page of 1': ['search', askPage(1, NEWEST_FIRST)],
  'page of 10': ['search', askPage(10, NEWEST_FIRST)],
  'page of 100': ['search', askPage(100, NEWEST_FIRST)],
  create: ['create', askCreate()],
  update: ['update', askUpdate()],
}
const PEER_PACKAGES = [
  'wiremock',
  '@mockoon/cli',
  '@stoplight/prism-cli',
  '@scalar/mock-server',
  'json-server',
  'autocannon',
]

export const http: Bench = {
  about: 'Answers a second over 32 kept connections: the full job against servers that send one canned answer.',
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
  const outcomes = []
  for (const work of await prepareWorks()) outcomes.push(await measureWork(work, run, loader, folder))
  const peers = PEER_PACKAGES.map((name) => [name, versionOf(name)] as const)
  return {
    tables: [
      ...outcomes.map(({ speed }) => speed),
      ...outcomes.map(({ speed }) => createVersus(speed, 'Standin', 'answers of Standin for one of')),
      ...outcomes.flatMap(({ others }) => others).sort(byUnit),
    ],
    versions: { express: versionOf('express', ROOT), ...Object.fromEntries(peers) },
    notes: [
      ...CONTENDERS.map(({ name, does }) => `**${name}** ${does}.`),
      'Searches are sorted, newest first. Creates make the world of Standin and of json-server grow with each request; the others forget them.',
      'The load generator shares the machine with the server. Where it is the slower one of the two, as it may be for the fastest servers, processor time an answer is the fairer measure.',
      'autocannon runs in a process of its own; one answer that is no success, and the contender is out.',
    ],
    details: { connections: CONNECTIONS, answers: Object.fromEntries(outcomes.map(({ answers }) => answers)) },
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
    for (const [title, [kind, ask]] of Object.entries(ASKS))
      works.push({ title, kind, ask, answer: (await untilAnswers(child, port, ask)).text })
    return works
  } finally {
    await child.stop()
  }
}

/** Starts everybody, checks what they answer, loads them in turn, and looks at what they weigh afterwards. */
async function measureWork(work: Work, run: Run, loader: Loader, folder: string) {
  const { title } = work
  const trials: Trial[] = []
  try {
    for (const contender of CONTENDERS.filter(({ only }) => only?.includes(title) ?? true)) {
      run.progress(`${title}: starting ${contender.name}`)
      trials.push(
        await createTrial({ contender, work, loader, folder, connections: CONNECTIONS, seconds: run.quick ? 1 : 2 }),
      )
    }
    const speed = await compare({
      title,
      unit: 'answers/s',
      better: 'more',
      reference: BARE,
      rounds: run.quick ? 2 : 5,
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
    const chart = unit === RESIDENT && title === 'page of 10'
    return createTable({ title, unit, better: 'less', reference: BARE, chart, folded: !chart }, samples)
  }
  return [
    table(RESIDENT, (trial) => trial.resident()),
    table('MiB resident at the peak', (trial) => trial.peak()),
    table('µs of processor time an answer', (trial) => trial.processorTimes()),
  ]
}
