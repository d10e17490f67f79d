import assert from 'node:assert/strict'
import type { Rounds } from '../campaign.ts'
import { createChance } from '../chance.ts'
import { openConnection } from '../connection.ts'
import { type Service, startService } from '../service.ts'
import { createWildRequests } from '../wild-requests.ts'

export async function open(): Promise<Rounds> {
  const service = await startService({ files: 20, clock: '2026-03-05T14:30:00.000Z' })
  const connection = { current: await openConnection(service.url) }
  let refused = 0
  let sent: string[] = []
  return {
    async run({ seed, cases }) {
      const next = createWildRequests(createChance(seed), ['default'])
      sent = []
      await startAgain(service)
      let before = await look(service)
      for (let number = 0; number < cases; number++) {
        const { bytes, isKept } = next()
        if (!isKept) continue
        sent.push(bytes)
        const { status, head } = await connection.current.sendBytes(bytes)
        sent.push(`  ${status}`)
        if (/\r\nconnection: close/i.test(head)) connection.current = await openConnection(service.url)
        const after = await look(service)
        if (status >= 400) {
          refused++
          assert.deepEqual(after, before)
        }
        before = after
        // A clock that runs changes the state by itself.
        if (before.state.clock.mode === 'running') before = await startAgain(service).then(() => look(service))
      }
    },
    requests: () => sent.slice(-20),
    async close() {
      connection.current.close()
      await service.stop()
      return { refused }
    },
  }
}

async function startAgain({ control }: Service): Promise<void> {
  await control.reset()
  for (const { name } of (await control.listCheckpoints()).checkpoints) await control.deleteCheckpoint(name)
  for (const { name } of (await control.listSandboxes()).sandboxes)
    if (name !== 'default') await control.deleteSandbox(name)
  // Faults are armed in it.
  await control.createSandbox({ name: 'faulty' })
}

/** All that a refused request must leave as it was; of requests that are sent, some are counted and therefore left out. */
async function look({ control }: Service) {
  const { requests: _requests, ...state } = await control.getState()
  const { next } = await control.getHistory({ from: Number.MAX_SAFE_INTEGER })
  const { checkpoints } = await control.listCheckpoints()
  const { sandboxes } = await control.listSandboxes()
  return { state, next, checkpoints, sandboxes: sandboxes.map(({ name }) => name) }
}
