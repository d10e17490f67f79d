import type { Contract, Operation } from '../../contract/contract.ts'
import { type Documented, readDocumented } from '../../contract/schemas/documented.ts'
import { bareType, isJson } from '../../contract/media-type.ts'
import { parseJson, withNumbers } from '../../formats/json.ts'
import type { Fragment } from '../../resources/file-sets/operation/search-caches.ts'
import type { Outcome, Page } from '../../resources/handler.ts'
import { Defect, type Violation } from '../../errors/problem.ts'

/** Holds answers against the contract before they leave. */
export interface SelfCheck {
  /** Whether the answers of an operation are looked at. */
  holds(operationId: string): boolean
  /** The outcome, to be sent in the place of the one that was looked at. @throws Defect naming operation, place and expectation */
  outcome(operation: Operation, outcome: Outcome): Outcome
  /** The body of a refusal as it is sent, where the contract documents it. @throws Defect */
  refusal(operationId: string, status: number, text: string): void
}

/** What is looked at. */
interface Answered {
  readonly operation: Operation
  readonly status: number
  /** What the handler of the user's own came from, where one gave the answer. */
  readonly handlers: string | undefined
}

type HandlersOf = (operationId: string) => string | undefined

/**
 * @param isHeld whether the answers of an operation are looked at
 * @param handlersOf what the handler of the user's own came from, where one gives the answers
 */
export function createSelfCheck(
  contract: Contract,
  isHeld: (operationId: string) => boolean,
  handlersOf: HandlersOf,
): SelfCheck {
  const operations = new Map(contract.operations.map((one) => [one.operationId, one]))
  const known = new Map<Operation, Documented>()
  const documentedOf = (operation: Operation) => {
    const documented = known.get(operation) ?? readDocumented(contract.document, operation)
    known.set(operation, documented)
    return documented
  }
  return {
    holds: isHeld,
    outcome(operation, outcome) {
      const { status, body } = outcome
      const answered = { operation, status, handlers: handlersOf(operation.operationId) }
      const { answer, statuses } = documentedOf(operation)
      if (!answer(status)) throw broken(answered, [undocumented(status, statuses)])
      if ('page' in body) return { ...outcome, body: { page: heldPage(answered, body.page) } }
      if ('json' in body) hold(answered, body.json, 'application/json')
      else if ('empty' in body) holdEmpty(answered)
      // What is no JSON has no schema that it could break.
      else if (typeof body.content === 'string' && isJson(body.contentType))
        hold(answered, parseJson(body.content), bareType(body.contentType))
      return outcome
    },
    refusal(operationId, status, text) {
      const operation = operations.get(operationId)
      if (!operation || !documentedOf(operation).answer(status)) return
      hold({ operation, status, handlers: handlersOf(operationId) }, parseJson(text))
    },
  }
}

function hold(answered: Answered, body: unknown, mediaType?: string): void {
  const violations = answered.operation.checkAnswer(answered.status, withNumbers(body), mediaType)
  if (violations.length > 0) throw broken(answered, violations)
}

/** What has no content by RFC 9110 breaks nothing, whatever is documented of it. */
function holdEmpty(answered: Answered): void {
  if (answered.operation.method !== 'HEAD' && ![204, 205, 304].includes(answered.status)) hold(answered, undefined)
}

function broken({ operation: { operationId }, status, handlers }: Answered, violations: readonly Violation[]): Defect {
  const [first] = violations
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : ''
  const whose = handlers === undefined ? `of ${operationId}` : `of the handler of ${operationId}`
  const what = `The answer ${status} ${whose} breaks the contract: ${first?.message ?? ''}${more}`
  return new Defect(what, { violations, handlers })
}

function undocumented(status: number, statuses: readonly string[]): Violation {
  const expected = `one of the documented statuses ${statuses.join(', ')}`
  const message = `the status: expected ${expected}, got ${status}.`
  return { header: ':status', code: 'status', message, expected, received: String(status) }
}

/** A page that is ready is looked at whole; one that is streamed as it goes, some entries at a time. */
function heldPage(answered: Answered, page: Page): Page {
  if (page.streamed)
    return { ...page, fragments: heldInParts(answered, page), context: () => heldContext(answered, page) }
  const fragments = [...page.fragments]
  const context = page.context()
  hold(answered, pageOf(fragments, context, page.added))
  return { ...page, fragments, streamed: false, context: () => context }
}

const PART = 1000

/** The entries some at a time, and then all that is around them. */
function* heldInParts(answered: Answered, { fragments, added }: Page): Generator<Fragment> {
  const holdPart = (entries: readonly Fragment[]) =>
    holdBut(answered, pageOf(entries, {}, added), ({ pointer }) => pointer?.startsWith('/files/') !== true)
  const part: Fragment[] = []
  for (const fragment of fragments) {
    if (part.push(fragment) < PART) continue
    holdPart(part)
    yield* part.splice(0)
  }
  holdPart(part)
  yield* part
}

/** The same page without its entries, which were looked at before. */
function heldContext(answered: Answered, { added, context }: Page): unknown {
  const pageContext = context()
  holdBut(answered, pageOf([], pageContext, added), ({ pointer }) => pointer === '/files')
  return pageContext
}

/** @param isSpared what is not a fault of this part of a page */
function holdBut({ operation, ...answered }: Answered, body: unknown, isSpared: (one: Violation) => boolean): void {
  const violations = operation.checkAnswer(answered.status, withNumbers(body)).filter((one) => !isSpared(one))
  if (violations.length > 0) throw broken({ operation, ...answered }, violations)
}

function pageOf(fragments: readonly Fragment[], pageContext: unknown, added: Page['added']): unknown {
  return { files: fragments.map(({ text }) => parseJson(text)), pageContext, ...added }
}
