import { untilStored } from '../../engine/stores/shared-log.ts'
import { headerValues } from '../../contract/parameters/credential-location.ts'
import { FIRST_STATE, isCounted, type Stub } from '../../resources/user-operations/stubs/stub.ts'
import type { AppOptions } from '../app-options.ts'
import { decodeSegment } from './read-styled.ts'
import { commit } from './record-exchange.ts'
import type { ChosenStub, Middleware, RequestContext } from './request-context.ts'

/** Finds the first stub that is for the request, and counts its use. */
export function chooseStub({ stubs }: Pick<AppOptions, 'stubs'>): Middleware {
  return (_request, { locals: { context } }, next) => {
    const { binding, sandbox } = context
    if (!binding.stubs && sandbox.state.declaredStubs.size === 0) {
      next()
      return
    }
    const choose = () => {
      context.stub = findStub(context, stubs.of(binding, sandbox.state))
    }
    const { shared } = sandbox
    if (shared) {
      // A use is stored before anything is sent.
      untilStored(choose, () => shared.confirm()).then(() => next(), next)
      return
    }
    choose()
    next()
  }
}

function findStub(context: RequestContext, stubs: readonly Stub[]): ChosenStub | undefined {
  const { request, route, search, body, sandbox } = context
  if (stubs.length === 0) return undefined
  const path = Object.fromEntries(Object.entries(route.parameters).map(([name, text]) => [name, decodeSegment(text)]))
  const header = (name: string) => {
    const values = headerValues(request.rawHeaders, name)
    return values.length === 0 ? undefined : values.join(', ')
  }
  const asked = { path, query: new URLSearchParams(search), header, body }
  const { stubUses, stubScenarios } = sandbox.state
  const usesOf = ({ name }: Stub) => stubUses.get(name) ?? 0
  const isDue = ({ scenario }: Stub) =>
    scenario?.when === undefined || scenario.when === (stubScenarios.get(scenario.name) ?? FIRST_STATE)
  const stub = stubs.find((one) => usesOf(one) < (one.times ?? Infinity) && isDue(one) && one.matches(asked))
  if (!stub) return undefined
  const before = usesOf(stub)
  const { scenario, responses, isRepeated } = stub
  const step = scenario?.becomes === undefined ? undefined : { name: scenario.name, state: scenario.becomes }
  if (isCounted(stub) || step)
    commit(context, [{ type: 'stub.used', stub: stub.name, uses: before + 1, ...(step && { scenario: step }) }])
  const { length } = responses
  return { stub, response: responses[isRepeated ? before % length : Math.min(before, length - 1)] }
}
