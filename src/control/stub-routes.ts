import { type ControlHandler, type ControlRoutes, created, NO_CONTENT, ok } from '../engine/control-route.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import { isCounted } from '../resources/user-operations/stubs/stub.ts'
import type { DeclaredStub } from '../resources/user-operations/stubs/stub-state.ts'
import type { OperationStub } from '../resources/user-operations/stubs/load-stubs.ts'
import { stubNotFound, tooManyStubs } from '../base/errors/control-errors.ts'
import { requestInvalid } from '../base/errors/request-errors.ts'
import { shown, type Violation } from '../base/errors/problem.ts'
import { didYouMean } from '../base/errors/wording.ts'
import type { Members } from '../base/formats/json.ts'
import type { ControlNeeds, StubBook } from './control-needs.ts'
import type { StubList, StubRecord, StubRequest } from './client/types.ts'

/** The settings may have more: these are all tried for each request of their operation. */
const MAX_DECLARED = 1000

const listStubs: ControlHandler<ControlNeeds> = (call) => ok(listOf(call.sandbox(), call.stubs))

/** Declares all of them, or none. */
const declareStubs: ControlHandler<ControlNeeds> = (call) => {
  const sandbox = call.sandbox()
  const { declaredStubs } = sandbox.state
  const stubs = namesOf(call.body as StubRequest, declaredStubs)
  refuseInvalid(stubs, call.stubs, 'stubs' in (call.body as object))
  const names = new Set(stubs.map(({ name }) => name))
  if (new Set([...declaredStubs.keys(), ...names]).size > MAX_DECLARED)
    throw tooManyStubs({
      detail: `A sandbox has at most ${MAX_DECLARED} declared stubs. DELETE /__mock/stubs removes them all.`,
    })
  sandbox.commit([{ type: 'stubs.declared', stubs }])
  const list = listOf(sandbox, call.stubs)
  return created({ ...list, stubs: list.stubs.filter(({ name, place }) => place === null && names.has(name)) })
}

const removeStubs: ControlHandler = (call) => {
  const sandbox = call.sandbox()
  const names = [...sandbox.state.declaredStubs.keys()]
  if (names.length > 0) sandbox.commit([{ type: 'stubs.removed', names }])
  return ok({ removed: names.length })
}

const removeStub: ControlHandler = (call) => {
  const sandbox = call.sandbox()
  const name = String(call.path.name)
  const { declaredStubs } = sandbox.state
  if (!declaredStubs.has(name))
    throw stubNotFound({
      detail: `No stub ${shown(name)} was declared in the sandbox ${sandbox.name}.${didYouMean(name, [...declaredStubs.keys()]) || ' GET /__mock/stubs lists them.'}`,
    })
  sandbox.commit([{ type: 'stubs.removed', names: [name] }])
  return NO_CONTENT
}

/** Those without a name of their own are numbered. */
function namesOf(body: StubRequest, declared: ReadonlyMap<string, Members>): readonly DeclaredStub[] {
  const taken = new Set(declared.keys())
  let number = 1
  return ((body.stubs ?? [body]) as readonly Members[]).map((stub) => {
    if (typeof stub.name === 'string' && stub.name !== '') return { name: stub.name, stub }
    while (taken.has(`stub ${number}`)) number++
    taken.add(`stub ${number}`)
    return { name: `stub ${number}`, stub }
  })
}

/** @throws Problem 400 with everything that is wrong */
function refuseInvalid(stubs: readonly DeclaredStub[], book: StubBook, isList: boolean): void {
  const written = new Map(book.written.map(({ stub }) => [stub.name, stub.place]))
  const names = new Set<string>()
  const violations = stubs.flatMap(({ name, stub }, index): Violation[] => {
    const at = isList ? `/stubs/${index}` : ''
    const { stubs: read, complaints } = book.read(name, stub)
    const place = read.map((one) => written.get(one.stub.name)).find((one) => one !== undefined)
    const wrong = complaints.map(({ pointer, text }) => violationOf(`${at}${pointer}`, text))
    if (place !== undefined)
      wrong.push(violationOf(`${at}/name`, `there is a stub ${shown(name)} in ${place}. Give it another name.`))
    if (names.has(name))
      wrong.push(violationOf(`${at}/name`, `there are two stubs ${shown(name)}. Give one another name.`))
    names.add(name)
    return wrong
  })
  if (violations.length > 0) throw requestInvalid(violations)
}

function violationOf(pointer: string, text: string): Violation {
  return { pointer, code: 'stub', message: pointer === '' ? text : `${pointer}: ${text}`, expected: 'a stub' }
}

function listOf({ state }: Sandbox, book: StubBook): StubList {
  const { stubUses, stubScenarios, declaredStubs } = state
  const usesOf = (stubs: readonly OperationStub[]) =>
    stubs.some(({ stub }) => isCounted(stub))
      ? stubs.reduce((sum, { stub }) => sum + (stubUses.get(stub.name) ?? 0), 0)
      : null
  const idsOf = (stubs: readonly OperationStub[]) => stubs.map(({ operationId }) => operationId)
  const declared = [...declaredStubs].map(([name, stub]): StubRecord => {
    const { stubs, complaints } = book.read(name, stub)
    return {
      name,
      operations: idsOf(stubs),
      place: null,
      uses: usesOf(stubs),
      stub,
      problem: complaints[0]?.text ?? null,
    }
  })
  const written = book.written.map((one): StubRecord => {
    const { name, place } = one.stub
    return { name, operations: idsOf([one]), place, uses: usesOf([one]), stub: null, problem: null }
  })
  return { stubs: [...declared, ...written], scenarios: Object.fromEntries(stubScenarios) }
}

export const stubRoutes: ControlRoutes<ControlNeeds> = { listStubs, declareStubs, removeStubs, removeStub }
