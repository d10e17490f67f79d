import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ControlledTester } from '../support/control.ts'
import { createControlledTester } from '../support/control.ts'
import { createPetShop } from '../support/contracts/pets.ts'
import { NOW, weekly } from '../support/tester.ts'
import { cases } from '../support/cases.ts'

/** A fork at an event has the state that was exported after that event, whatever happened before and since. */

type Exported = Awaited<ReturnType<ControlledTester['control']['getState']>>

interface World {
  readonly tester: ControlledTester
  /** Each state as it was exported first after an event. */
  readonly exported: Map<number, Exported>
  now: number
}

/** A change, or an attempt at one. @param id one of a few, so that steps meet */
type Step = (world: World, id: number) => Promise<unknown>

const inBoth: Record<string, Step> = {
  createFileSet: ({ tester: { control } }, id) => control.createFileSet({ id: `set-${id}`, generate: 5 * id }),
  deleteFileSet: ({ tester: { control } }, id) => control.deleteFileSet(`set-${id}`),
  addFiles: ({ tester: { control } }, id) => control.addFiles(`set-${id}`, [{ path: `new/${id}.txt`, size: id }]),
  changeFile: async ({ tester: { control } }, id) => {
    const { files } = await control.listFiles(`set-${id}`)
    await control.changeFile(`set-${id}`, files.at(-1)!.id, { path: `moved/${id}/${files.length}.txt` })
  },
  deleteFile: async ({ tester: { control } }, id) => {
    const { files } = await control.listFiles(`set-${id}`)
    await control.deleteFile(`set-${id}`, files[0]!.id)
  },
  armFaults: ({ tester: { control } }, id) =>
    control.armFaults({ kind: 'status', status: 503, times: id, chance: 0.5 }),
  removeFaults: ({ tester: { control } }) => control.removeFaults(),
  putBehaviours: ({ tester: { control } }, id) =>
    control.putBehaviours(id === 1 ? {} : { 'limit.zero': id === 2 ? 'error' : 'default' }),
  freeze: ({ tester: { control } }) => control.putClock({ mode: 'frozen' }),
  run: ({ tester: { control } }, id) => control.putClock({ mode: 'running', rate: id }),
  advance: ({ tester: { control } }, id) => control.advanceClock({ by: `P${id}D` }),
  goBack: ({ tester: { control } }) => control.putClock({ mode: 'frozen', now: '2026-03-01T00:00:00Z' }),
  wait: (world, id) => {
    world.now += id * 3_600_000
    world.tester.moveTo(world.now)
    return Promise.resolve()
  },
  takeCheckpoint: ({ tester: { control } }, id) => control.createCheckpoint({ name: `c${id}` }),
  restoreCheckpoint: ({ tester: { control } }, id) => control.restoreCheckpoint(`c${id}`),
  deleteCheckpoint: ({ tester: { control } }, id) => control.deleteCheckpoint(`c${id}`),
  reset: ({ tester: { control } }) => control.reset(),
  putState: async ({ tester: { control }, exported }, id) => {
    await control.putState([...exported.values()].at(-id) ?? (await control.getState()))
  },
}

const ofSchedules: Record<string, Step> = {
  create: ({ tester }, id) => tester.create(weekly({ title: `Number ${id}` }, { daysToRun: 'MON,THU' })),
  update: ({ tester }, id) => tester.update(id + 5, { title: `Other ${id}` }),
  search: ({ tester }) => tester.search({ set: 'demo' }),
  delete: ({ tester: { control } }, id) => control.deleteReportSchedule(id + 5),
  toNextRun: ({ tester: { control } }) => control.advanceClock({ toNextRun: true }),
  deleteDeliveries: ({ tester: { control } }) => control.deleteDeliveries(),
}

const ofDocuments: Record<string, Step> = {
  create: ({ tester: { control } }, id) => control.createDocument('pets', { name: `Pet ${id}` }),
  change: ({ tester: { control } }, id) => control.changeDocument('pets', String(id), { name: `Other ${id}` }),
  delete: ({ tester: { control } }, id) => control.deleteDocument('pets', String(id)),
  request: ({ tester }, id) =>
    tester
      .request()
      .post('/pets')
      .set({ 'X-Key': 'key' })
      .send({ name: `By request ${id}` }),
}

/** The state in words that do not depend on when a running clock was read. */
function comparable({ clock, ...state }: Exported, shown: string | undefined) {
  return { ...state, mode: clock.mode, rate: clock.rate, shown }
}

async function walk(
  tester: ControlledTester,
  steps: Record<string, Step>,
  path: readonly (readonly [number, number])[],
) {
  const { control } = tester
  const world: World = { tester, exported: new Map(), now: NOW }
  const shown = new Map<number, string>()
  const names = Object.keys(steps)
  for (const [step, id] of path) {
    // A step may be refused: then it is an attempt, and changes nothing.
    await steps[names[step % names.length]!]!(world, id).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'ControlError') throw error
    })
    const state = await control.getState()
    const { next, events } = await control.getHistory({ limit: 1000 })
    if (next === 0 || world.exported.has(next - 1)) continue
    world.exported.set(next - 1, state)
    // What a frozen clock showed does not tell what the clock of an imported state shows that runs.
    const isGuess = state.clock.mode === 'running' && /imported|restored/.test(events.at(-1)?.type ?? '')
    if (!isGuess) shown.set(next - 1, (await control.getClock()).now)
  }
  const present = await control.getState()
  for (const [number, state] of world.exported) {
    const name = `at-${number}`
    const fork = await control.forkSandbox('default', { name, at: number })
    const past = await control.in(name).getState()
    expect(comparable(past, shown.has(number) ? fork.clock.now : undefined)).toEqual(
      comparable(state, shown.get(number)),
    )
    await control.deleteSandbox(name)
  }
  expect(await control.getState()).toEqual(present)
  return world.exported.size
}

const PATH = fc.array(fc.tuple(fc.nat({ max: 997 }), fc.integer({ min: 1, max: 3 })), { minLength: 8, maxLength: 24 })

test.for([
  ['files and schedules', () => createControlledTester({ files: 20 }), { ...ofSchedules, ...inBoth }],
  ['documents', () => createPetShop({ files: 5 }), { ...ofDocuments, ...inBoth }],
] as const)(
  'a fork at any event of a walk over %s is the state that was exported after it',
  async ([, create, steps]) => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(PATH, async (path) => {
        compared += await walk(create(), steps, path)
      }),
      // Shrinking takes minutes.
      { numRuns: cases(8, 2), endOnFailure: true },
    )
    expect(compared).toBeGreaterThan(cases(30, 5))
  },
)
