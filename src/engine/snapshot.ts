import type { EventTime, OwnedState, State, StateEvent } from './state.ts'

/** A state at one moment, which never changes. */
export interface Snapshot {
  readonly state: State
  /** How many request ids were given out. */
  readonly requests: number
  /** Epoch ms by the state's clock. */
  readonly taken: number
}

/** Where a sandbox starts, and what a reset goes back to. */
export type Beginning = Omit<Snapshot, 'taken'>

/** A change of a sandbox: of its state, or of which state it is. */
export type SandboxEvent = StateEvent | OwnEvent

type OwnEvent =
  /** `at` is in epoch ms by the clock of the sandbox: what fell due before does not run. */
  | { readonly type: 'sandbox.reset'; readonly at: number }
  | { readonly type: 'state.imported'; readonly state: Beginning }
  | { readonly type: 'checkpoint.taken'; readonly name: string; readonly snapshot: Snapshot }
  | { readonly type: 'checkpoint.removed'; readonly name: string }
  | { readonly type: 'checkpoint.restored'; readonly name: string }

/** Everything of a sandbox that is stored in its log and restored from it. */
export interface Image {
  readonly beginning: Beginning
  readonly state: State
  readonly requests: number
  readonly checkpoints: ReadonlyMap<string, Snapshot>
}

/** An image that its owner changes in place. */
export interface OwnedImage extends Image {
  beginning: Beginning
  state: OwnedState
  requests: number
  readonly checkpoints: Map<string, Snapshot>
}

/** The image of a new sandbox. */
export function createImage(beginning: Beginning): OwnedImage {
  return { beginning, ...own(beginning), checkpoints: new Map() }
}

export function copyImage({ beginning, state, requests, checkpoints }: Image): OwnedImage {
  return { beginning, state: state.model.copy(state), requests, checkpoints: new Map(checkpoints) }
}

/** Stores an event in an image, in place. It only stores, as `evolve` does. */
export function evolveImage(image: OwnedImage, event: SandboxEvent, time: EventTime): void {
  if (isStateEvent(event)) return image.state.model.evolve(image.state, event, time)
  switch (event.type) {
    case 'sandbox.reset':
      Object.assign(image, own(image.beginning))
      image.state.model.begin(image.state, event.at)
      return
    case 'state.imported':
      Object.assign(image, own(event.state))
      return
    case 'checkpoint.taken':
      // The latest stands last.
      image.checkpoints.delete(event.name)
      image.checkpoints.set(event.name, event.snapshot)
      return
    case 'checkpoint.removed':
      image.checkpoints.delete(event.name)
      return
    case 'checkpoint.restored': {
      const snapshot = image.checkpoints.get(event.name)
      if (!snapshot) throw new Error(`the checkpoint ${event.name} was restored and is not there`)
      Object.assign(image, own(snapshot))
    }
  }
}

/** Lets an image of another configuration follow a new one. @param initial the initial state of that configuration */
export function rebaseImage(image: OwnedImage, initial: State): void {
  const rebased = <Kept extends Beginning>(kept: Kept): Kept => {
    const { state } = own(kept)
    initial.model.rebase(state, initial)
    return { ...kept, state }
  }
  initial.model.rebase(image.state, initial)
  image.beginning = rebased(image.beginning)
  for (const [name, snapshot] of image.checkpoints) image.checkpoints.set(name, rebased(snapshot))
}

const OWN = new Set<string>([
  'sandbox.reset',
  'state.imported',
  'checkpoint.taken',
  'checkpoint.removed',
  'checkpoint.restored',
] satisfies OwnEvent['type'][])

export function isStateEvent(event: SandboxEvent): event is StateEvent {
  return !OWN.has(event.type)
}

/** The events that replace the state instead of changing it. */
export const REPLACING = ['sandbox.reset', 'state.imported', 'checkpoint.restored'] as const

export function replacesState({ type }: SandboxEvent): boolean {
  return type === 'sandbox.reset' || type === 'state.imported' || type === 'checkpoint.restored'
}

function own({ state, requests }: Beginning): { state: OwnedState; requests: number } {
  return { state: state.model.copy(state), requests }
}
