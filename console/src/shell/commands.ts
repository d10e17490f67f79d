import type { AdvanceRequest, CollectionList, SandboxList } from '../../../src/control/client/types.ts'
import type { IconName } from '../parts/icon.tsx'
import { control, forkAndShow, info, sandboxName, showSandbox } from '../session.ts'
import { addressOf } from '../views/collections/address.ts'
import { FAULT_PRESETS } from '../views/faults/fault-kinds.ts'
import { VIEWS } from '../views.ts'
import { openDialog } from './keyboard.ts'
import { isUseful } from './navigation.tsx'

/** Something to choose in the palette. */
export interface Command {
  readonly group: 'Views' | 'Actions' | 'Sandboxes' | 'Operations' | 'Collections'
  readonly icon: IconName
  readonly title: string
  /** Shown beside the title, and found by. */
  readonly note?: string
  /** What cannot be undone asks first. */
  readonly question?: string
  /** @returns what to tell when it is done; undefined where the page shows it */
  run(): unknown
}

/** What is listed besides what the page knows already. */
export interface Listed {
  readonly sandboxes: SandboxList['sandboxes']
  readonly collections: CollectionList['collections']
}

/** Everything that the palette offers now. */
export function commandsOf({ sandboxes, collections }: Listed): readonly Command[] {
  return [
    ...VIEWS.filter(isUseful).map(({ path, title, icon }) => goTo('Views', icon, title, `#/${path}`)),
    ...actions(),
    ...sandboxes
      .filter(({ name }) => name !== sandboxName.value)
      .map(({ name }): Command => ({
        ...{ group: 'Sandboxes', icon: 'sandboxes', title: name, note: 'Switch to the sandbox' },
        run: () => showSandbox(name),
      })),
    ...(info.value?.operations ?? []).map(({ operationId, method, path }) =>
      goTo('Operations', 'code', operationId, `#/coverage/${encodeURIComponent(operationId)}`, `${method} ${path}`),
    ),
    ...collections.map(({ name, count }) =>
      goTo('Collections', 'collections', name, addressOf(name), count?.toLocaleString('en')),
    ),
  ]
}

function goTo(group: Command['group'], icon: IconName, title: string, address: string, note = ''): Command {
  return { group, icon, title, note, run: () => void (location.href = address) }
}

function advance(title: string, step: AdvanceRequest): Command {
  return {
    ...{ group: 'Actions', icon: 'clock', title: `Advance the clock ${title}` },
    run: async () => {
      const { now, runs } = await control.value.advanceClock(step)
      const ran = runs.length === 0 ? 'No schedule ran' : `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`
      return `The clock is at ${now.slice(0, 19).replace('T', ' ')}. ${ran}.`
    },
  }
}

const NUMBERS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 }

/** The command that a time asks for: `two weeks`, `in 36 hours`, `advance by 3 days`. */
function stepOf(text: string): readonly Command[] {
  const [, number = '', unit = ''] =
    /\b(\d{1,4}|[a-z]+) (second|minute|hour|day|week)s?$/.exec(text.trim().toLowerCase()) ?? []
  const count = /^an?$/.test(number) ? 1 : Number(number) || NUMBERS.indexOf(number)
  if (count < 1 || SECONDS[unit] === undefined) return []
  const seconds = count * SECONDS[unit]
  return [advance(`by ${count} ${unit}${count === 1 ? '' : 's'}`, { by: `PT${seconds}S` })]
}

function actions(): readonly Command[] {
  const [client, name] = [control.value, sandboxName.value]
  return [
    advance('by 1 hour', { by: 'PT1H' }),
    advance('by 1 day', { by: 'P1D' }),
    advance('by 1 week', { by: 'P7D' }),
    advance('to the next run', { toNextRun: true }),
    act('clock', 'Freeze the clock', () => client.putClock({ mode: 'frozen' }), 'The clock stands still.'),
    act('clock', 'Let the clock run', () => client.putClock({ mode: 'running' }), 'The clock runs.'),
    goTo('Actions', 'faults', 'Arm a fault…', '#/faults'),
    ...FAULT_PRESETS.map(({ preset, title }) =>
      act('faults', `Arm faults: ${title}`, () => client.armFaults({ preset }), `Armed: ${title}.`),
    ),
    act('remove', 'Remove all faults', () => client.removeFaults(), 'No faults are armed.'),
    {
      ...act('reset', `Reset ${name}`, () => client.reset(), `${name} is as it was at the start.`),
      ...{ note: 'to its initial state', question: `Reset ${name} to its initial state?` },
    },
    {
      ...act('remove', 'Clear the requests', () => client.deleteJournal(), 'The journal is empty.'),
      question: `Delete the recorded requests of ${name}?`,
    },
    act('fork', `Fork ${name}`, () => forkAndShow(name, { name: `${name.slice(0, 55)}-fork` })),
    goTo('Actions', 'plus', 'New sandbox…', '#/sandboxes/new'),
    goTo('Actions', 'checkpoint', 'Take or restore a checkpoint…', `#/sandboxes/show/${encodeURIComponent(name)}`),
    goTo('Actions', 'docs', 'API docs', './docs'),
    { ...{ group: 'Actions', icon: 'keyboard', title: 'Keyboard', note: '?' }, run: () => (openDialog.value = 'keys') },
  ]
}

function act(icon: IconName, title: string, run: () => Promise<unknown>, done?: string): Command {
  return { group: 'Actions', icon, title, run: () => run().then(() => done) }
}

/** The commands that have every word of a text, those whose title begins with it first. */
export function findCommands(all: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return all.filter(({ group }) => group !== 'Operations' && group !== 'Collections')
  const [first = ''] = words
  const rank = ({ title }: Command) => (title.toLowerCase().startsWith(first) ? 0 : 1)
  const found = all
    .filter(({ group, title, note = '' }) => {
      const held = `${title} ${note} ${group}`.toLowerCase()
      return words.every((word) => held.includes(word))
    })
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, MOST)
  const steps = stepOf(text).filter(({ title }) => !found.some((one) => one.title === title))
  return [...steps, ...found]
}

const MOST = 50
