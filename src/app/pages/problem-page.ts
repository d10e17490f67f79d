import { type DescribedError, errorCatalog } from '../../base/errors/catalog.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { pathUnknown } from '../../base/errors/request-errors.ts'
import { nearest } from '../../base/errors/wording.ts'
import { type Html, html, page } from './html.ts'

/** An error type of the catalogue as JSON; undefined for unknown types. */
export function describeProblem(id: string) {
  const entry = errorCatalog().get(id)
  if (!entry) return undefined
  const { title, cause, remedy } = entry
  return { type: `/problems/${id}`, title, statuses: statusesOf(entry), cause, remedy }
}

export function unknownProblem(id: string): Problem {
  const near = nearestTypes(id)
  const hint = near.length === 0 ? '' : ` The nearest: ${near.map((one) => `/problems/${one}`).join(', ')}.`
  return pathUnknown({
    detail: `Standin has no problem type ${JSON.stringify(id)}.${hint} A handler of your own may have responded with it.`,
  })
}

/** @param hasControl whether there is a console to link to */
export function problemPage(id: string, hasControl: boolean): string {
  const entry = errorCatalog().get(id)
  if (!entry) return unknownPage(id)
  const { title, cause, remedy } = entry
  return page(
    title,
    '../',
    html`<p class="quiet"><code>/problems/${id}</code></p>
      <h1>${title}</h1>
      <dl>
        <dt>Status</dt>
        <dd>${statusesOf(entry).join(', ')}</dd>
        <dt>Cause</dt>
        <dd>${prose(cause)}</dd>
        <dt>What to do</dt>
        <dd>${prose(remedy)}</dd>
      </dl>
      <p class="quiet">The member <code>detail</code> of the response says what was wrong with that one request.</p>
      ${hasControl ? html`<p><a href="../__mock/#/requests">Find the request in the console</a></p>` : undefined}`,
  )
}

/** A text of the catalogue, which has code between backticks. */
function prose(text: string): readonly Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

function unknownPage(id: string): string {
  const catalog = errorCatalog()
  const near = nearestTypes(id)
  return page(
    'No such problem type',
    '../',
    html`<h1>There is no problem type <code>${id}</code></h1>
      <p>Standin defines none of that name. A handler of your own may have responded with it.</p>
      ${near.length === 0 ? undefined : html`<h2>Did you mean</h2>`}
      <ul>
        ${near.map((one) => html`<li><a href="./${one}">${catalog.get(one)?.title ?? one}</a> <code>${one}</code></li>`)}
      </ul>`,
  )
}

function statusesOf({ status, otherStatuses = [] }: DescribedError): number[] {
  return [status, ...otherStatuses]
}

const MAX_NEAREST = 3

function nearestTypes(id: string): string[] {
  const left = new Set(errorCatalog().keys())
  const found: string[] = []
  while (found.length < MAX_NEAREST) {
    const one = nearest(id, left)
    if (one === undefined) break
    left.delete(one)
    found.push(one)
  }
  return found
}
