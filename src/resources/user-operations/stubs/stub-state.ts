import type { StatePart } from '../../../engine/state.ts'

declare module '../../../engine/state.ts' {
  interface State {
    /** How often each stub that counts its requests was used, by its name. */
    readonly stubUses: ReadonlyMap<string, number>
  }
  interface OwnedState {
    stubUses: Map<string, number>
  }
  interface StateEvents {
    'stub.used': { readonly stub: string; readonly uses: number }
  }
}

/** The uses of stubs in a sandbox. */
export const stubState: StatePart<'stub.used'> = {
  name: 'stubs',
  events: {
    'stub.used': {
      evolve(state, { stub, uses }) {
        state.stubUses.set(stub, uses)
      },
    },
  },
  initial: () => ({ stubUses: new Map() }),
  own(state) {
    state.stubUses = new Map(state.stubUses)
  },
  write: ({ stubUses }) => (stubUses.size === 0 ? {} : { stubUses: Object.fromEntries(stubUses) }),
  read: ({ stubUses = {} }: { stubUses?: Readonly<Record<string, number>> }) => ({
    stubUses: new Map(Object.entries(stubUses)),
  }),
}
