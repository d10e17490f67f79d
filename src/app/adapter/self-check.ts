import { rememberingAll } from '../../base/cache.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import { bareType, isJson } from '../../contract/media-type.ts'
import { parseJson, withNumbers } from '../../base/formats/json.ts'
import type { Fragment, Outcome, Page } from '../../resources/handler.ts'
import { Defect, shown, type Violation } from '../../base/errors/problem.ts'
import type { Bindings } from '../binding/binding.ts'
import type { Config } from '../../config/config.ts'

/** Checks responses against the contract before they are sent. */
export interface SelfCheck {
  /** Whether the responses of an operation are checked. */
  holds(operationId: string): boolean
  /**
   * Returns the outcome to send instead of the checked one.
   *
   * @param stub what made it, where that is no handler
   * @throws Defect with operation, pointer and expectation
   */
  outcome(operation: Operation, outcome: Outcome, stub?: DeclaredBy): Outcome
  /** Checks the body of an error response, if the contract documents it. @throws Defect */
  refusal(operationId: string, status: number, text: string): void
}

/** The response that is checked. */
interface Checked {
  readonly operation: Operation
  readonly status: number
  /** Where the user's handler was loaded from, if one made the response. */
  readonly handlers: string | undefined
  /** The stub that made it, if one did. */
  readonly stub?: string | undefined
}

interface DeclaredBy {
  readonly name: string
  /** For the log: responses must not depend on the name of a file. */
  readonly place: string
}

type HandlersOf = (operationId: string) => string | undefined

/**
 * @param isChecked whether the responses of an operation are checked
 * @param handlersOf where the user's handler of an operation was loaded from; undefined for built-in operations
 */
export function createSelfCheck(
  contract: Contract,
  isChecked: (operationId: string) => boolean,
  handlersOf: HandlersOf,
): SelfCheck {
  const operations = new Map(contract.operations.map((one) => [one.operationId, one]))
  const documentedOf = rememberingAll((operation: Operation) => readDocumented(contract.document, operation))
  return {
    holds: isChecked,
    outcome(operation, outcome, stub) {
      const { status, body } = outcome
      // Its parts are made by the contract.
      if ('live' in body) return outcome
      const handlers = stub?.place ?? handlersOf(operation.operationId)
      const checked = { operation, status, stub: stub?.name, handlers }
      const documented = documentedOf(operation)
      // A document that has errors alone leaves open what a success is like.
      if ('empty' in body && status < 300 && !documented.statuses.some((one) => one.startsWith('2'))) return outcome
      if (!documented.response(status)) throw broken(checked, [undocumented(status, documented.statuses)])
      if ('page' in body) return { ...outcome, body: { page: checkPage(checked, body.page) } }
      if ('json' in body) checkBody(checked, body.json, { mediaType: 'application/json' })
      else if ('empty' in body) {
        // A response that has no content by RFC 9110 is valid, whatever is documented.
        if (operation.method !== 'HEAD' && ![204, 205, 304].includes(status)) checkBody(checked, undefined)
      } else if (typeof body.content === 'string' && isJson(body.contentType))
        checkBody(checked, parseJson(body.content), { mediaType: bareType(body.contentType) })
      return outcome
    },
    refusal(operationId, status, text) {
      const operation = operations.get(operationId)
      // Only JSON is described by a schema.
      if (!operation || documentedOf(operation).response(status)?.contentType === undefined) return
      // Where alternatives overlap, a body of one is one of another too. Only the contract can fix that.
      const counts = ({ code }: Violation) => code !== 'oneOf'
      checkBody({ operation, status, handlers: handlersOf(operationId) }, parseJson(text), { counts })
    },
  }
}

interface CheckOptions {
  readonly mediaType?: string
  /** Whether a violation belongs to the checked part. */
  counts?(violation: Violation): boolean
}

function checkBody(checked: Checked, body: unknown, { mediaType, counts = () => true }: CheckOptions = {}): void {
  const violations = checked.operation.checkResponse(checked.status, withNumbers(body), mediaType).filter(counts)
  if (violations.length > 0) throw broken(checked, violations)
}

function broken(
  { operation: { operationId }, status, handlers, stub }: Checked,
  violations: readonly Violation[],
): Defect {
  const [first] = violations
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : ''
  const by = stub === undefined ? '' : `, by the stub ${shown(stub)},`
  const whose = handlers === undefined || stub !== undefined ? `of ${operationId}` : `of the handler of ${operationId}`
  const what = `The response ${status} ${whose}${by} breaks the contract: ${first?.message ?? ''}${more}`
  return new Defect(what, { violations, handlers })
}

function undocumented(status: number, statuses: readonly string[]): Violation {
  const expected = `one of the documented statuses ${statuses.join(', ')}`
  const message = `the status: expected ${expected}, got ${status}.`
  return { header: ':status', code: 'status', message, expected, received: String(status) }
}

/** Checks a whole page at once. Of a streamed one, the entries are checked in parts, and then the rest with its context. */
function checkPage(checked: Checked, page: Page): Page {
  const check = (fragments: readonly Fragment[], context: unknown, counts?: (pointer: string) => boolean) => {
    const body = { files: fragments.map(({ text }) => parseJson(text)), pageContext: context, ...page.added }
    checkBody(checked, body, { counts: ({ pointer = '' }) => counts?.(pointer) ?? true })
  }
  if (!page.streamed) {
    const fragments = [...page.fragments]
    const context = page.context()
    check(fragments, context)
    return { ...page, fragments, context: () => context }
  }
  const checkPart = (part: readonly Fragment[]) => check(part, {}, (pointer) => pointer.startsWith('/files/'))
  return {
    ...page,
    fragments: inParts(page.fragments, checkPart),
    context() {
      const context = page.context()
      check([], context, (pointer) => pointer !== '/files')
      return context
    },
  }
}

/** Entries that are checked at once. */
const PART = 1000

function* inParts(fragments: Iterable<Fragment>, check: (part: readonly Fragment[]) => void): Generator<Fragment> {
  const part: Fragment[] = []
  for (const fragment of fragments) {
    if (part.push(fragment) < PART) continue
    check(part)
    yield* part.splice(0)
  }
  check(part)
  yield* part
}

/** The responses of built-in operations, and of those that check their own, are validated with `selfCheck` only, all others always. */
export function chooseSelfCheck(
  { selfCheck, handlers }: Config,
  contract: Contract,
  bindings: Bindings,
): SelfCheck | undefined {
  const isChecked = (operationId: string) => {
    const binding = bindings.get(operationId)
    if (selfCheck || binding?.kind !== 'stateful') return true
    return binding.generator !== undefined && binding.builtin.checksResponses !== true
  }
  const all = [...bindings.values()]
  if (!all.some(({ operation, stubs }) => stubs !== undefined || isChecked(operation.operationId))) return undefined
  const handlersOf = (operationId: string) =>
    bindings.get(operationId)?.kind === 'own' && typeof handlers === 'object' ? handlers.from : undefined
  return createSelfCheck(contract, isChecked, handlersOf)
}
