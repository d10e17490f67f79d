import { expect, test } from 'vitest'
import type { Behaviour } from '../../../src/behaviours/catalog.ts'
import { CATALOG, recover, recoverFrom } from '../../../checks/calibrate/recover.ts'
import { sample } from '../../support/cases.ts'

type Settings = Readonly<Record<string, unknown>>

const SECTIONS = ['Create and update', 'Schedule time', 'Recipients']
const BEHAVIOURS = CATALOG.behaviours.filter(({ section }) => SECTIONS.includes(section))
const IDS = new Set(BEHAVIOURS.map(({ id }) => id))

/** Without those that take many requests. */
const QUICK = new Set([...IDS].filter((id) => id !== 'title.text' && id !== 'recipient.max'))

/** Settings under which all the others can be seen. */
const REVEALING: Settings = {
  'create.response': 'full',
  'update.response': 'full',
  'response.recipients': 'yes',
  'schedule.dates': 'honour',
}

/** What no calibration settles; the catalogue says why. */
const NEVER = new Set(['create.defaults', 'create.ids', 'next-run.when', 'next-run.passes'])

/** Whose settings hide others, so each of them is recovered alone. */
const HIDING = new Set([
  ...Object.keys(REVEALING),
  ...[
    'response.nulls',
    'body.types',
    'body.unknown',
    'update.omitted',
    'update.schedule',
    'update.links',
    'links.exist',
  ],
  ...['update.body-id', 'frequency.values', 'days.monthly', 'recipient.types', 'recipients.known', 'next-run.lag'],
])

/** Settings that have no options in words. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  'title.text': [
    { spaces: 'trim', characters: 7 },
    { spaces: 'as-sent', characters: 1 },
    { spaces: 'trim', characters: 1025 },
  ],
  'recipient.max': [2, 41, 1000],
  'response.full-type': ['RECURRING', 'ONCE'],
  'zone.omitted': ['UTC', 'Asia/Kolkata'],
}

/** Every option of a behaviour; of lists, each item alone and all of them. */
function optionsOf({ id, options, default: usual }: Behaviour): readonly unknown[] {
  if (!options) return [usual]
  if ('list' in options) return [options.list.of, ...options.list.of.map((item) => [item])]
  if ('choice' in options) return options.choice.filter((word) => !/\b[NKSP]\b/.test(word))
  return VALUES[id] ?? [usual]
}

const [hiding, free] = [true, false].map((isHiding) =>
  BEHAVIOURS.filter(({ id }) => !NEVER.has(id) && HIDING.has(id) === isHiding),
)

/** The settings of one run have an option of each behaviour that hides no other. */
const together: readonly Settings[] = [0, 1, 2, 3].map((at) =>
  Object.fromEntries((free ?? []).map((one) => [one.id, optionsOf(one)[at % optionsOf(one).length]])),
)

test.for(sample(together, 2))('recovers the options that can be seen together (%#)', async (settings) => {
  const { found, recovery } = await recoverSettings({ ...REVEALING, ...settings })
  expect(found).toMatchObject(settings)
  expect(recoverFrom(recovery).wrong).toEqual([])
})

const alone = (hiding ?? []).flatMap((one) => optionsOf(one).map((option) => [one.id, option] as const))

test.for(sample(alone, 6))('recovers %s: %j', async ([id, option]) => {
  const { found, recovery } = await recoverSettings({ ...REVEALING, [id]: option }, QUICK)
  expect(found).toMatchObject({ [id]: option })
  expect(recovery.wrong).toEqual([])
})

async function recoverSettings(settings: Settings, probes = IDS) {
  const recovery = await recover(1, { settings, probes })
  const found = Object.fromEntries(
    recovery.calibration.results.map(({ id, finding }) => [
      id,
      finding.kind === 'settled' ? finding.value : finding.reason,
    ]),
  )
  return { found, recovery }
}

test('leaves schedules behind that are switched off, and says which', async () => {
  const { recovery } = await recoverSettings({})
  const { exchanges, leftBehind } = recovery.calibration
  const created = exchanges.filter(({ request, response }) => request.method === 'POST' && response.status === 200)
  const ids = created.map(({ response }) => (JSON.parse(response.body ?? '') as { readonly id?: number }).id)
  expect(leftBehind).toEqual(ids.filter((id) => id !== undefined).map((id) => ({ id: String(id), isEnabled: false })))
  expect(leftBehind).toHaveLength(3)
})
