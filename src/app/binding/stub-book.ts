import { createLookup } from '../../contract/pointer.ts'
import type { StubBook } from '../../control/control-needs.ts'
import type { State } from '../../engine/state.ts'
import { readDeclared, type StubSources } from '../../resources/user-operations/stubs/load-stubs.ts'
import type { Stub } from '../../resources/user-operations/stubs/stub.ts'
import { once, rememberingEach } from '../../base/cache.ts'
import type { Members } from '../../base/formats/json.ts'
import { createSelfCheck, type SelfCheck } from '../adapter/self-check.ts'
import { createGenerators, type ResponseGenerator } from '../generated/generator.ts'
import type { Binding, Bindings } from './binding.ts'

/** The stubs of the settings and of the contract, and those that are declared while the server runs. */
export interface ServedStubs extends StubBook {
  /** Those for requests of an operation, in the order of their precedence. */
  of(binding: Binding, state: State): readonly Stub[]
  /** Makes responses of the document for an operation. */
  generatorOf(binding: Binding): ResponseGenerator
  /** Checks responses of stubs where no others are checked. */
  check(): SelfCheck
}

type ReadDeclared = ReturnType<StubBook['read']>

export function createServedStubs(
  bindings: Bindings,
  sources: StubSources,
  { documents }: { readonly documents: number },
): ServedStubs {
  const { contract } = sources
  // What is written stays as it is while forks and requests share it.
  const known = new WeakMap<Members, ReadDeclared>()
  const generators = once(() => createGenerators(contract, createLookup(contract.document), documents === 0))
  const read = (name: string, stub: Members): ReadDeclared => {
    const before = known.get(stub)
    if (before) return before
    const complaints: { pointer: string; text: string }[] = []
    const complain = (pointer: string, text: string) => {
      // What is wrong with a stub for several operations is wrong for each of them.
      if (!complaints.some((one) => one.pointer === pointer && one.text === text)) complaints.push({ pointer, text })
    }
    const made = { stubs: readDeclared({ name, stub }, { ...sources, complain }), complaints }
    known.set(stub, made)
    return made
  }
  const declaredIn = rememberingEach((declared: State['declaredStubs']) => {
    const all = [...declared].flatMap(([name, one]) => {
      const { stubs, complaints } = read(name, one)
      // A contract that was loaded again may refuse it.
      return complaints.length > 0 ? [] : stubs
    })
    const grouped = Map.groupBy(all, ({ operationId }) => operationId)
    return new Map([...grouped].map(([id, some]) => [id, some.map(({ stub }) => stub)]))
  })
  return {
    read,
    written: [...bindings].flatMap(([operationId, { stubs = [] }]) => stubs.map((stub) => ({ operationId, stub }))),
    of({ stubs = NONE, operation: { operationId } }, { declaredStubs }) {
      return declaredStubs.size === 0 ? stubs : [...(declaredIn(declaredStubs).get(operationId) ?? NONE), ...stubs]
    },
    check: once(() =>
      createSelfCheck(
        contract,
        () => true,
        () => undefined,
      ),
    ),
    generatorOf: rememberingEach(({ operation }: Binding) => generators()(operation)),
  }
}

const NONE: readonly Stub[] = []
