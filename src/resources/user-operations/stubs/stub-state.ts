import { type OwnedState, stateChange, type StatePart } from '../../../engine/state.ts'
import type { Members } from '../../../base/formats/json.ts'

/** A stub that was declared while the server runs. */
export interface DeclaredStub {
  readonly name: string
  /** As it is written. It never changes, so what is read of it is kept by it. */
  readonly stub: Members
}

/** What uses of a stub change besides their count. */
interface ScenarioStep {
  readonly name: string
  readonly state: string
}

declare module '../../../engine/state.ts' {
  interface State {
    /** How often each stub that counts its requests was used, by its name. */
    readonly stubUses: ReadonlyMap<string, number>
    /** The state of each scenario that has left its first one, by its name. */
    readonly stubScenarios: ReadonlyMap<string, string>
    /** Those that were declared while the server runs, by name, in the order of their precedence. Changes make another map. */
    readonly declaredStubs: ReadonlyMap<string, Members>
  }
  interface OwnedState {
    stubUses: Map<string, number>
    stubScenarios: Map<string, string>
    declaredStubs: ReadonlyMap<string, Members>
  }
  interface StateEvents {
    'stub.used': { readonly stub: string; readonly uses: number; readonly scenario?: ScenarioStep | undefined }
    /** They come before those that there are. One of the same name takes the place of that one, and is counted anew. */
    'stubs.declared': { readonly stubs: readonly DeclaredStub[] }
    'stubs.removed': { readonly names: readonly string[] }
  }
}

/** The stubs of a sandbox: their uses, the states of scenarios, and those that were declared while the server runs. */
export const stubState: StatePart<'stub.used' | 'stubs.declared' | 'stubs.removed'> = {
  name: 'stubs',
  events: {
    'stub.used': {
      evolve(state, { stub, uses, scenario }) {
        state.stubUses.set(stub, uses)
        if (scenario) state.stubScenarios.set(scenario.name, scenario.state)
      },
    },
    'stubs.declared': {
      evolve(state, { stubs }) {
        forget(
          state,
          stubs.map(({ name }) => name),
        )
        state.declaredStubs = new Map([...stubs.map(({ name, stub }) => [name, stub] as const), ...state.declaredStubs])
      },
      parts: ({ stubs }) => stubs.length,
      publish: ({ stubs }) => [stateChange('stubs.declared', { names: stubs.map(({ name }) => name) })],
    },
    'stubs.removed': {
      evolve: (state, { names }) => forget(state, names),
      parts: ({ names }) => names.length,
    },
  },
  initial: () => ({ stubUses: new Map(), stubScenarios: new Map(), declaredStubs: new Map() }),
  own(state) {
    state.stubUses = new Map(state.stubUses)
    state.stubScenarios = new Map(state.stubScenarios)
  },
  write: ({ stubUses, stubScenarios, declaredStubs }) => ({
    ...(stubUses.size === 0 ? {} : { stubUses: Object.fromEntries(stubUses) }),
    ...(stubScenarios.size === 0 ? {} : { stubScenarios: Object.fromEntries(stubScenarios) }),
    ...(declaredStubs.size === 0 ? {} : { declaredStubs: [...declaredStubs].map(([name, stub]) => ({ name, stub })) }),
  }),
  read: ({ stubUses = {}, stubScenarios = {}, declaredStubs = [] }: WrittenStubs) => ({
    stubUses: new Map(Object.entries(stubUses)),
    stubScenarios: new Map(Object.entries(stubScenarios)),
    declaredStubs: new Map(declaredStubs.map(({ name, stub }) => [name, stub])),
  }),
}

interface WrittenStubs {
  readonly stubUses?: Readonly<Record<string, number>>
  readonly stubScenarios?: Readonly<Record<string, string>>
  readonly declaredStubs?: readonly DeclaredStub[]
}

/** A stub for several operations is counted for each: `name, operationId`. */
function forget(state: OwnedState, names: readonly string[]): void {
  // Another map, since what is read of a map is kept by it.
  state.declaredStubs = new Map([...state.declaredStubs].filter(([name]) => !names.includes(name)))
  for (const counted of state.stubUses.keys())
    if (names.some((name) => counted === name || counted.startsWith(`${name}, `))) state.stubUses.delete(counted)
}
