import { type ControlHandler, type ControlRoutes, created, NO_CONTENT, ok } from '../engine/control-route.ts'
import type { ControlNeeds } from './control-needs.ts'
import { encodeDuration } from '../base/formats/duration.ts'
import { iso } from '../base/formats/instant.ts'
import { readTtl } from '../http/sandbox-name.ts'
import { showClock } from './clock-routes.ts'
import type { Checkpoint, ForkRequest, SandboxRequest, SandboxSummary } from './client/types.ts'
import { didYouMean } from '../base/errors/wording.ts'
import { type Problem, shown } from '../base/errors/problem.ts'
import { momentBefore } from '../journal/journal-routes.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { Sandboxes } from '../engine/sandboxes.ts'
import { checkpointNotFound, journalPartial, tooManyCheckpoints } from '../base/errors/control-errors.ts'

const listSandboxes: ControlHandler = ({ sandboxes }) =>
  ok({ sandboxes: [...sandboxes.all.values()].map((one) => showSandbox(one, sandboxes)) })

const createSandbox: ControlHandler = ({ sandboxes, body }) => {
  const { name, from, seed, ttl } = body as SandboxRequest
  return created(showSandbox(sandboxes.create(name, { from, seed, ttl: ttlOf(ttl) }), sandboxes))
}

/** Milliseconds; null for no end, and undefined for the usual time. @throws Problem 400 */
function ttlOf(ttl: SandboxRequest['ttl']): number | null | undefined {
  return typeof ttl === 'string' ? readTtl(ttl, { pointer: '/ttl' }) : ttl
}

const getSandbox: ControlHandler = ({ sandboxes, path }) => ok(showSandbox(sandboxes.get(String(path.name)), sandboxes))

const deleteSandbox: ControlHandler<ControlNeeds> = async ({ sandboxes, path, query, keepArtifacts }) => {
  const name = String(path.name)
  if (query.artifacts === true) await keepArtifacts?.(sandboxes.get(name))
  sandboxes.delete(name)
  return NO_CONTENT
}

const forkSandbox: ControlHandler = function* ({ sandboxes, path, body }) {
  const { name, seed, at, before, ttl, journal } = body as ForkRequest
  const from = sandboxes.get(String(path.name))
  if (journal === true && from.shared) throw notCopied(from)
  const options = { from: from.name, seed, ttl: ttlOf(ttl) }
  const past = before === undefined ? at !== undefined && { at } : momentBefore(from, before)
  const made = past ? yield* sandboxes.createAt(name, { ...options, ...past }) : sandboxes.create(name, options)
  if (journal === true) made.journal.copy(from.journal, from.name, before ?? lastBy(from, at))
  return created(showSandbox(made, sandboxes))
}

/** Exchanges that were copied would have the numbers of another sandbox. */
function notCopied({ name }: Sandbox): Problem {
  return journalPartial({
    detail: `A fork of ${name}, which replicas share, begins with an empty journal. Leave \`journal\` out.`,
  })
}

/** The id of the last exchange that was over after an event. */
function lastBy({ journal }: Sandbox, at = Infinity): number {
  const found = [...journal.after(0)].findLast((one) => one !== undefined && one.nextEvent <= at + 1)
  return at === Infinity ? journal.last : (found?.id ?? 0)
}

const reset: ControlHandler = (call) => {
  const sandbox = call.sandbox()
  sandbox.reset()
  return ok(showSandbox(sandbox, call.sandboxes))
}

const listCheckpoints: ControlHandler = (call) =>
  ok({ checkpoints: [...call.sandbox().checkpoints].map(([name, snapshot]) => showCheckpoint(name, snapshot)) })

/** A checkpoint holds at least what has changed since the one before it. */
const MAX_CHECKPOINTS = 100

const createCheckpoint: ControlHandler = (call) => {
  const { name } = call.body as { readonly name: string }
  const sandbox = call.sandbox()
  const { checkpoints } = sandbox
  if (checkpoints.size >= MAX_CHECKPOINTS && !checkpoints.has(name)) {
    throw tooManyCheckpoints({
      detail: `A sandbox has at most ${MAX_CHECKPOINTS} checkpoints. Delete one, or take a name that is there to replace it.`,
    })
  }
  return created(showCheckpoint(name, sandbox.takeCheckpoint(name)))
}

const restoreCheckpoint: ControlHandler = (call) => {
  const sandbox = call.sandbox()
  const name = String(call.path.name)
  getCheckpoint(sandbox, name)
  sandbox.restoreCheckpoint(name)
  return ok(showSandbox(sandbox, call.sandboxes))
}

const deleteCheckpoint: ControlHandler = (call) => {
  const sandbox = call.sandbox()
  const name = String(call.path.name)
  getCheckpoint(sandbox, name)
  sandbox.removeCheckpoint(name)
  return NO_CONTENT
}

function getCheckpoint({ name: sandbox, checkpoints }: Sandbox, name: string): Snapshot {
  const snapshot = checkpoints.get(name)
  if (snapshot) return snapshot
  throw checkpointNotFound({
    detail: `The sandbox ${sandbox} has no checkpoint ${shown(name)}.${didYouMean(name, checkpoints.keys()) || ' POST /__mock/checkpoints makes one.'}`,
  })
}

export const sandboxRoutes: ControlRoutes<ControlNeeds> = {
  listSandboxes,
  createSandbox,
  getSandbox,
  deleteSandbox,
  forkSandbox,
  reset: { handle: reset, refusesTypos: true },
  listCheckpoints,
  createCheckpoint,
  restoreCheckpoint,
  deleteCheckpoint,
}

export function showSandbox(sandbox: Sandbox, { lifetimes }: Pick<Sandboxes, 'lifetimes'>): SandboxSummary {
  const clock = showClock(sandbox)
  const { name, state, requests, checkpoints, journal } = sandbox
  const counts = state.model.count(state)
  const lifetime = lifetimes.find(name)
  const ttl = lifetime ? encodeDuration(lifetime.ttl) : null
  const expiresAt = lifetime ? iso(lifetime.expiresAt) : null
  return {
    name,
    seed: state.seed,
    clock,
    ...counts,
    checkpoints: checkpoints.size,
    requests,
    recorded: journal.size,
    ttl,
    expiresAt,
  } as SandboxSummary
}

function showCheckpoint(name: string, { state, taken }: Snapshot): Checkpoint {
  return { name, now: iso(taken), ...state.model.count(state) } as Checkpoint
}
