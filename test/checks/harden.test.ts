import { test } from 'vitest'
import { CAMPAIGNS } from '../../checks/harden/campaigns.ts'

/** For each campaign and a run of several, see harden.campaign.test.ts. */
test.each([
  ['paging', 10],
  ['refusals', 20],
  ['fuzz', 40],
  ['replays', 1],
])('a round of the campaign %s is right', async (name, cases) => {
  const { open } = await CAMPAIGNS[name]!.load()
  const rounds = await open({ seed: 7, rounds: 1 })
  await rounds.run({ number: 0, seed: 7, cases }).finally(() => rounds.close())
})
