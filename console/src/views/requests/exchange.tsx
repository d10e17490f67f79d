import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Json } from '../../parts/json.tsx'
import { Status } from '../../parts/status.tsx'
import { useLoad } from '../../use-load.ts'

/** One exchange in full. */
export function Exchange({ id, close }: { readonly id: number; readonly close: () => void }) {
  const { value: exchange, error, reload } = useLoad((client) => client.getExchange(id), [id])
  return (
    <section class="pane detail" aria-label={`Request ${id}`}>
      <div class="toolbar">
        <h2>Request {id}</h2>
        <span class="toolbar-rest" />
        <button onClick={close} aria-label="Close the request">
          Close
        </button>
      </div>
      {error === undefined ? null : <Failed error={error} retry={reload} />}
      {exchange ? <Shown exchange={exchange} /> : null}
    </section>
  )
}

function Shown({ exchange }: { readonly exchange: ExchangeRecord }) {
  const { request, answer, issues, problem, fault, behaviours } = exchange
  return (
    <div class="detail-body">
      <p class="request-line">
        <Status status={answer?.status} fault={fault} /> <strong>{request.method}</strong> <code>{request.url}</code>
      </p>
      {problem === null && issues.length === 0 ? null : (
        <div class="callout callout-bad">
          <h3>Why it was refused</h3>
          {problem === null ? null : <p>{problem}</p>}
          <ul>
            {issues.map((issue, index) => (
              <li key={index}>{issue.message}</li>
            ))}
          </ul>
        </div>
      )}
      {fault === null ? null : <p class="callout">The fault “{fault}” was applied.</p>}
      {behaviours.length === 0 ? null : (
        <div>
          <h3>Depends on</h3>
          <p class="tags">
            {behaviours.map((behaviour) => (
              <span class="tag" key={behaviour}>
                {behaviour}
              </span>
            ))}
          </p>
        </div>
      )}
      <h3>Request</h3>
      <Headers of={request.headers} />
      {request.body === null ? null : <Json text={request.body} label="Request body" />}
      <h3>Response</h3>
      {answer ? <Headers of={answer.headers} /> : <p>The connection ended without a byte.</p>}
      {answer?.body ? <Json text={answer.body} label="Response body" /> : null}
      <CopyButton text={() => JSON.stringify(exchange, null, 2)} label="Copy as JSON" />
    </div>
  )
}

function Headers({ of }: { readonly of: ExchangeRecord['request']['headers'] }) {
  return (
    <details class="headers">
      <summary>{of.length} headers</summary>
      <dl>
        {of.map(({ name, value }, index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
