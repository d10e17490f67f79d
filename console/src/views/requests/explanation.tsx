import { useState } from 'preact/hooks'
import type { ControlClient } from '../../../../src/control/client/client.ts'
import type {
  ExchangeRecord,
  ListExplanation,
  ReportScheduleExplanation,
  SearchExplanation,
} from '../../../../src/control/client/types.ts'
import { Failed } from '../../parts/failed.tsx'
import { Json } from '../../parts/json.tsx'
import { info } from '../../session.ts'
import { useLoad } from '../../use-load.ts'

/** What the stand-in made of a request: how it read a search or a list, and why something is or is not in it. */
export function Explanation({ exchange }: { readonly exchange: ExchangeRecord }) {
  const [wanted, setWanted] = useState('')
  const { value, error } = useLoad((client) => explain(client, exchange, wanted), [exchange.id, wanted])
  if (error !== undefined) return <Failed error={error} />
  if (value === undefined) return <p class="quiet">Loading…</p>
  return (
    <div class="callout callout-plain">
      <h3>Explanation</h3>
      {value.kind === 'nothing' ? <p>There is nothing to explain about this operation.</p> : null}
      {value.kind === 'search' ? <OfSearch explanation={value.explanation} /> : null}
      {value.kind === 'list' ? <OfList explanation={value.explanation} /> : null}
      {value.kind === 'schedule' ? <p>{value.explanation.why}</p> : null}
      {value.kind === 'search' || value.kind === 'list' ? (
        <form
          class="inline"
          onSubmit={(event) => {
            event.preventDefault()
            const given = new FormData(event.currentTarget).get('wanted')
            setWanted(typeof given === 'string' ? given.trim() : '')
          }}
        >
          <label class="field">
            <span>
              {value.kind === 'search' ? 'Why is this file (not) in it? Path or id' : 'Why is this id (not) in it?'}
            </span>
            <input name="wanted" defaultValue={wanted} />
          </label>
          <button>Ask</button>
        </form>
      ) : null}
      {value.kind === 'nothing' ? null : (
        <details>
          <summary class="quiet">Everything</summary>
          <Json text={JSON.stringify(value.explanation)} label="The whole explanation" />
        </details>
      )}
    </div>
  )
}

function OfSearch({ explanation }: { readonly explanation: SearchExplanation }) {
  const { scope, clauses, combined, order, total, pages, entry, cursor } = explanation
  return (
    <>
      <ul>
        <li>
          {scope.reads}: {scope.entries.toLocaleString()} entries.
        </li>
        {clauses.map(({ pointer, reads, holds, keepsOut }) => (
          <li key={pointer}>
            <code>{reads}</code> matches {holds.toLocaleString()}
            {keepsOut > 0 ? `, and alone keeps out ${keepsOut.toLocaleString()}` : ''}.
          </li>
        ))}
        <li>{order.reads}.</li>
        {cursor ? <li>The cursor is {cursor.accepted ? 'accepted' : `refused: ${cursor.refusal ?? ''}`}.</li> : null}
        <li>
          {total.toLocaleString()} {total === 1 ? 'entry' : 'entries'} match {combined} of these, on{' '}
          {pages.toLocaleString()} {pages === 1 ? 'page' : 'pages'}.
        </li>
      </ul>
      {entry ? <Verdict isIn={entry.inResult} why={entry.why} /> : null}
    </>
  )
}

function OfList({ explanation }: { readonly explanation: ListExplanation }) {
  const { collection, conditions, order, ignored, total, pageSize, document } = explanation
  return (
    <>
      <ul>
        <li>
          The list shows <code>{collection}</code>, {pageSize} on a page.
        </li>
        {conditions.map(({ reads, matches }) => (
          <li key={reads}>
            <code>{reads}</code> matches {matches.toLocaleString()}.
          </li>
        ))}
        <li>{order.length === 0 ? 'In the order of creation.' : `Sorted by ${order.join(', ')}.`}</li>
        {ignored.length === 0 ? null : <li>Without effect: {ignored.join(', ')}.</li>}
        <li>{total.toLocaleString()} in all.</li>
      </ul>
      {document ? <Verdict isIn={document.state === 'listed'} why={document.why} /> : null}
    </>
  )
}

function Verdict({ isIn, why }: { readonly isIn: boolean; readonly why: string }) {
  return (
    <p class={`callout ${isIn ? 'callout-good' : 'callout-bad'}`} role="status">
      <strong>{isIn ? 'It is in the result.' : 'It is not in the result.'}</strong> {why}
    </p>
  )
}

type Explained =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'search'; readonly explanation: SearchExplanation }
  | { readonly kind: 'list'; readonly explanation: ListExplanation }
  | { readonly kind: 'schedule'; readonly explanation: ReportScheduleExplanation }

/** @param wanted the file or the document that is asked about; empty for none */
async function explain(
  client: ControlClient,
  { operationId, request, answer }: ExchangeRecord,
  wanted: string,
): Promise<Explained> {
  const url = new URL(request.url, location.origin)
  const query = Object.fromEntries(url.searchParams)
  const body = parsed(request.body)
  const path = pathParameters(operationId, url.pathname)
  if (operationId === 'searchFiles') {
    const search = { fileSetId: path.fileSetId ?? '', query, ...(body ? { body } : {}) }
    const file =
      wanted === '' ? undefined : /^[\da-f]{8}-[\da-f-]{27}$/i.test(wanted) ? { id: wanted } : { path: wanted }
    return { kind: 'search', explanation: await client.explainSearch(search, file) }
  }
  if (operationId === 'createReportSchedule' || operationId === 'updateReportSchedule') {
    const id = Number(path.scheduleId ?? (parsed(answer?.body ?? null) as { id?: unknown } | undefined)?.id)
    return {
      kind: 'schedule',
      explanation: await client.explainReportSchedule(Number.isInteger(id) ? { id } : { info: body ?? {} }),
    }
  }
  if (operationId === null) return { kind: 'nothing' }
  const { collections } = await client.listCollections()
  const role = collections.flatMap(({ operations }) => operations).find((one) => one.operationId === operationId)?.role
  if (role !== 'list' && role !== 'search') return { kind: 'nothing' }
  const list = { operationId, path, query, ...(body ? { body: body as Record<string, unknown> } : {}) }
  return { kind: 'list', explanation: await client.explainList(list, wanted === '' ? undefined : wanted) }
}

function parsed(text: string | null): object | undefined {
  try {
    const value = JSON.parse(text ?? '') as unknown
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** The parameters in a path, by the template of its operation. */
function pathParameters(operationId: string | null, path: string): Readonly<Record<string, string>> {
  const template = info.value?.operations.find((one) => one.operationId === operationId)?.path
  if (template === undefined) return {}
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
  const pattern = template.replace(/[.*+?^$|()[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '([^/]+)')
  const values = new RegExp(`${pattern}$`).exec(path)?.slice(1) ?? []
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]))
}
