import type { Contract, Operation } from '../contract/contract.ts'
import { type Documented, readDocumented } from '../contract/documented.ts'
import { bareType, isJson } from '../contract/media-type.ts'
import { parseJson, withNumbers } from '../json.ts'
import type { Fragment } from '../operations/fragments.ts'
import type { Outcome, Page } from '../operations/handler.ts'
import { Defect, type Violation } from '../problem.ts'

/** Holds answers against the contract before they leave. */
export interface SelfCheck {
  /** Whether the answers of an operation are looked at. */
  holds(operationId: string): boolean
  /** The outcome, to be sent in the place of the one that was looked at. @throws Defect naming operation, place and expectation */
  outcome(operation: Operation, outcome: Outcome): Outcome
  /** The body of a refusal as it is sent, where the contract documents it. @throws Defect */
  refusal(operationId: string, status: number, text: string): void
}

/** @param isHeld whether the answers of an operation are looked at */
export function createSelfCheck(contract: Contract, isHeld: (operationId: string) => boolean): SelfCheck {
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
      const { answer, statuses } = documentedOf(operation)
      if (!answer(status)) throw broken(operation, status, [undocumented(status, statuses)])
      if ('page' in body) return { ...outcome, body: { page: heldPage(operation, status, body.page) } }
      if ('json' in body) hold(operation, status, body.json, 'application/json')
      else if ('empty' in body) holdEmpty(operation, status)
      // What is no JSON has no schema that it could break.
      else if (typeof body.content === 'string' && isJson(body.contentType))
        hold(operation, status, parseJson(body.content), bareType(body.contentType))
      return outcome
    },
    refusal(operationId, status, text) {
      const operation = operations.get(operationId)
      if (!operation || !documentedOf(operation).answer(status)) return
      hold(operation, status, parseJson(text))
    },
  }
}

function hold(operation: Operation, status: number, body: unknown, mediaType?: string): void {
  const violations = operation.checkAnswer(status, withNumbers(body), mediaType)
  if (violations.length > 0) throw broken(operation, status, violations)
}

/** What has no content by RFC 9110 breaks nothing, whatever is documented of it. */
function holdEmpty(operation: Operation, status: number): void {
  if (operation.method !== 'HEAD' && ![204, 205, 304].includes(status)) hold(operation, status, undefined)
}

function broken({ operationId }: Operation, status: number, violations: readonly Violation[]): Defect {
  const [first] = violations
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : ''
  const what = `The answer ${status} of ${operationId} breaks the contract: ${first?.message ?? ''}${more}`
  return new Defect(what, { violations })
}

function undocumented(status: number, statuses: readonly string[]): Violation {
  const expected = `one of the documented statuses ${statuses.join(', ')}`
  const message = `the status: expected ${expected}, got ${status}.`
  return { header: ':status', code: 'status', message, expected, received: String(status) }
}

/** A page that is ready is looked at whole; one that is streamed as it goes, some entries at a time. */
function heldPage(operation: Operation, status: number, page: Page): Page {
  if (page.streamed) {
    const fragments = heldInParts(operation, status, page)
    return { ...page, fragments, context: () => heldContext(operation, status, page) }
  }
  const fragments = [...page.fragments]
  const context = page.context()
  hold(operation, status, pageOf(fragments, context, page.added))
  return { ...page, fragments, streamed: false, context: () => context }
}

const PART = 1000

/** The entries some at a time, and then all that is around them. */
function* heldInParts(operation: Operation, status: number, { fragments, added }: Page): Generator<Fragment> {
  const holdPart = (part: readonly Fragment[]) => {
    const violations = operation
      .checkAnswer(status, withNumbers(pageOf(part, {}, added)))
      .filter(({ pointer }) => pointer?.startsWith('/files/'))
    if (violations.length > 0) throw broken(operation, status, violations)
  }
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
function heldContext(operation: Operation, status: number, { added, context }: Page): unknown {
  const pageContext = context()
  const violations = operation
    .checkAnswer(status, withNumbers(pageOf([], pageContext, added)))
    .filter(({ pointer }) => pointer !== '/files')
  if (violations.length > 0) throw broken(operation, status, violations)
  return pageContext
}

function pageOf(fragments: readonly Fragment[], pageContext: unknown, added: Page['added']): unknown {
  return { files: fragments.map(({ text }) => parseJson(text)), pageContext, ...added }
}
