import type { Contract, Operation } from '../../contract/contract.ts'
import { type Documented, readDocumented } from '../../contract/schemas/documented.ts'
import { bareType, isJson } from '../../contract/media-type.ts'
import { parseJson, withNumbers } from '../../formats/json.ts'
import type { Fragment, Outcome, Page } from '../../resources/handler.ts'
import { Defect, type Violation } from '../../errors/problem.ts'

/** Checks responses against the contract before they are sent. */
export interface SelfCheck {
  /** Whether the responses of an operation are checked. */
  holds(operationId: string): boolean
  /** Returns the outcome to send instead of the checked one. @throws Defect with operation, pointer and expectation */
  outcome(operation: Operation, outcome: Outcome): Outcome
  /** Checks the body of an error response, if the contract documents it. @throws Defect */
  refusal(operationId: string, status: number, text: string): void
}

/** The response that is checked. */
interface Checked {
  readonly operation: Operation
  readonly status: number
  /** Where the user's handler was loaded from, if one made the response. */
  readonly handlers: string | undefined
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
  const known = new Map<Operation, Documented>()
  const documentedOf = (operation: Operation) => {
    const documented = known.get(operation) ?? readDocumented(contract.document, operation)
    known.set(operation, documented)
    return documented
  }
  return {
    holds: isChecked,
    outcome(operation, outcome) {
      const { status, body } = outcome
      const checked = { operation, status, handlers: handlersOf(operation.operationId) }
      const { answer, statuses } = documentedOf(operation)
      if (!answer(status)) throw broken(checked, [undocumented(status, statuses)])
      if ('page' in body) return { ...outcome, body: { page: checkPage(checked, body.page) } }
      if ('json' in body) checkBody(checked, body.json, 'application/json')
      else if ('empty' in body) checkEmpty(checked)
      // Schemas apply to JSON alone.
      else if (typeof body.content === 'string' && isJson(body.contentType))
        checkBody(checked, parseJson(body.content), bareType(body.contentType))
      return outcome
    },
    refusal(operationId, status, text) {
      const operation = operations.get(operationId)
      if (!operation || !documentedOf(operation).answer(status)) return
      checkBody({ operation, status, handlers: handlersOf(operationId) }, parseJson(text))
    },
  }
}

function checkBody(checked: Checked, body: unknown, mediaType?: string): void {
  const violations = checked.operation.checkAnswer(checked.status, withNumbers(body), mediaType)
  if (violations.length > 0) throw broken(checked, violations)
}

/** A response that has no content by RFC 9110 is valid, whatever is documented. */
function checkEmpty(checked: Checked): void {
  if (checked.operation.method !== 'HEAD' && ![204, 205, 304].includes(checked.status)) checkBody(checked, undefined)
}

function broken({ operation: { operationId }, status, handlers }: Checked, violations: readonly Violation[]): Defect {
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

/** Checks a whole page at once, and a streamed one in parts. */
function checkPage(checked: Checked, page: Page): Page {
  if (page.streamed)
    return { ...page, fragments: checkInParts(checked, page), context: () => checkContext(checked, page) }
  const fragments = [...page.fragments]
  const context = page.context()
  checkBody(checked, pageOf(fragments, context, page.added))
  return { ...page, fragments, streamed: false, context: () => context }
}

const PART = 1000

/** Checks the entries in parts; the rest of the page is checked with its context. */
function* checkInParts(checked: Checked, { fragments, added }: Page): Generator<Fragment> {
  const checkPart = (entries: readonly Fragment[]) =>
    checkExcept(checked, pageOf(entries, {}, added), ({ pointer }) => pointer?.startsWith('/files/') !== true)
  const part: Fragment[] = []
  for (const fragment of fragments) {
    if (part.push(fragment) < PART) continue
    checkPart(part)
    yield* part.splice(0)
  }
  checkPart(part)
  yield* part
}

/** Checks a page without its entries, which were checked before. */
function checkContext(checked: Checked, { added, context }: Page): unknown {
  const pageContext = context()
  checkExcept(checked, pageOf([], pageContext, added), ({ pointer }) => pointer === '/files')
  return pageContext
}

/** @param isSpared a violation that does not belong to this part of a page */
function checkExcept({ operation, ...checked }: Checked, body: unknown, isSpared: (one: Violation) => boolean): void {
  const violations = operation.checkAnswer(checked.status, withNumbers(body)).filter((one) => !isSpared(one))
  if (violations.length > 0) throw broken({ operation, ...checked }, violations)
}

function pageOf(fragments: readonly Fragment[], pageContext: unknown, added: Page['added']): unknown {
  return { files: fragments.map(({ text }) => parseJson(text)), pageContext, ...added }
}
