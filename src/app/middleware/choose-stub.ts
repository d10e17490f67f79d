import { untilStored } from '../../engine/stores/shared-log.ts'
import { headerValues } from '../../contract/parameters/credential-location.ts'
import { isCounted, type Stub } from '../../resources/user-operations/stubs/stub.ts'
import { decodeSegment } from './read-styled.ts'
import { commit } from './record-exchange.ts'
import type { ChosenStub, Middleware, RequestContext } from './request-context.ts'

/** Finds the first stub that is for the request, and counts its use. */
export function chooseStub(): Middleware {
  return (_request, { locals: { context } }, next) => {
    const { declared } = context.binding
    if (!declared) {
      next()
      return
    }
    const choose = () => {
      context.stub = findStub(context, declared.stubs)
    }
    const { shared } = context.sandbox
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
  const path = Object.fromEntries(Object.entries(route.parameters).map(([name, text]) => [name, decodeSegment(text)]))
  const header = (name: string) => {
    const values = headerValues(request.rawHeaders, name)
    return values.length === 0 ? undefined : values.join(', ')
  }
  const asked = { path, query: new URLSearchParams(search), header, body }
  const usesOf = ({ name }: Stub) => sandbox.state.stubUses.get(name) ?? 0
  const stub = stubs.find((one) => usesOf(one) < (one.times ?? Infinity) && one.matches(asked))
  if (!stub) return undefined
  const before = usesOf(stub)
  if (isCounted(stub)) commit(context, [{ type: 'stub.used', stub: stub.name, uses: before + 1 }])
  const { length } = stub.responses
  return { stub, response: stub.responses[stub.isRepeated ? before % length : Math.min(before, length - 1)] }
}
