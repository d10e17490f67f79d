import { type ControlHandler, type ControlRoutes, created, NO_CONTENT, ok } from '../engine/control-route.ts'
import { iso } from '../formats/instant.ts'
import { showClock } from './clock-routes.ts'
import type { Checkpoint, SandboxSummary } from './client/types.ts'
import { nearest } from '../errors/wording.ts'
import { shown } from '../errors/problem.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import { checkpointNotFound, tooManyCheckpoints } from '../errors/control-errors.ts'

const listSandboxes: ControlHandler = ({ sandboxes }) => ok({ sandboxes: [...sandboxes.all.values()].map(showSandbox) })

const createSandbox: ControlHandler = ({ sandboxes, body }) => {
  const { name, from, seed } = body as { readonly name: string; readonly from?: string; readonly seed?: number }
  return created(showSandbox(sandboxes.create(name, { from, seed })))
}

const getSandbox: ControlHandler = ({ sandboxes, path }) => ok(showSandbox(sandboxes.get(String(path.name))))

const deleteSandbox: ControlHandler = ({ sandboxes, path }) => {
  sandboxes.delete(String(path.name))
  return NO_CONTENT
}

const forkSandbox: ControlHandler = function* ({ sandboxes, path, body }) {
  const { name, seed, at } = body as { readonly name: string; readonly seed?: number; readonly at?: number }
  const from = String(path.name)
  const made =
    at === undefined ? sandboxes.create(name, { from, seed }) : yield* sandboxes.createAt(name, { from, seed, at })
  return created(showSandbox(made))
}

const reset: ControlHandler = (call) => {
  const sandbox = call.sandbox()
  sandbox.reset()
  return ok(showSandbox(sandbox))
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
  return ok(showSandbox(sandbox))
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
  const meant = nearest(name, checkpoints.keys())
  throw checkpointNotFound({
    detail: `The sandbox ${sandbox} has no checkpoint ${shown(name)}. ${meant === undefined ? 'POST /__mock/checkpoints makes one.' : `Did you mean ${meant}?`}`,
  })
}

export const sandboxRoutes: ControlRoutes = {
  listSandboxes,
  createSandbox,
  getSandbox,
  deleteSandbox,
  forkSandbox,
  reset,
  listCheckpoints,
  createCheckpoint,
  restoreCheckpoint,
  deleteCheckpoint,
}

export function showSandbox(sandbox: Sandbox): SandboxSummary {
  const clock = showClock(sandbox)
  const { name, state, requests, checkpoints, journal } = sandbox
  const counts = state.model.count(state)
  const ofRequests = { requests, recorded: journal.size }
  return { name, seed: state.seed, clock, ...counts, checkpoints: checkpoints.size, ...ofRequests } as SandboxSummary
}

function showCheckpoint(name: string, { state, taken }: Snapshot): Checkpoint {
  return { name, now: iso(taken), ...state.model.count(state) } as Checkpoint
}
