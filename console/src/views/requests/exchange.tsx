import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { CloseButton } from '../../parts/close-button.tsx'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Headers } from '../../parts/headers.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Json } from '../../parts/json.tsx'
import { Method } from '../../parts/method.tsx'
import { Status } from '../../parts/status.tsx'
import { apiKey, CODE_URL } from '../../session.ts'
import { useLoad } from '../../use-load.ts'
import { Answerer } from './answerer.tsx'
import { Behaviours } from './exchange-behaviours.tsx'
import { Explanation } from './explanation.tsx'
import { EditRequest } from './edit-request.tsx'
import { headerOf } from './header-of.ts'
import { ignoredIn, wordsOfIgnored } from './ignored.ts'
import { EventList } from './stream/event-list.tsx'
import { streamedEvents, wasLeft } from './stream/streamed-events.ts'
import { sendAgain } from './replay.ts'
import { shortUrl } from './short-url.ts'
import { ResponseComparison } from './response-comparison.tsx'
import { realTime, sandboxTime } from './exchange-times.ts'
import { asCurl, asFetch } from '../../../../src/control/client/request-code.ts'
import { CopyTest } from './copy-test.tsx'

/** One exchange in full. */
export function Exchange({ id, close, open }: ExchangeProps) {
  const { value: exchange, error, reload } = useLoad((client) => client.getExchange(id), [id])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // On a narrow page the row that was opened is gone, and the focus with it.
    if (document.activeElement?.checkVisibility() !== true) heading.current?.focus()
  }, [id])
  return (
    <section class="pane detail" aria-label={`Request ${id}`}>
      <div class="toolbar">
        <h2 ref={heading} tabIndex={-1}>
          Request {id}
        </h2>
        <span class="toolbar-rest" />
        <CloseButton close={close} />
      </div>
      {error === undefined ? null : <Failed error={error} retry={reload} />}
      {exchange?.id === id ? <Shown key={id} exchange={exchange} open={open} /> : null}
    </section>
  )
}

interface ExchangeProps {
  readonly id: number
  readonly close: () => void
  readonly open: (id: number) => void
}

function Shown({ exchange, open }: { readonly exchange: ExchangeRecord; readonly open: (id: number) => void }) {
  const { answer, behaviours, now, milliseconds, operationId, hasChanged, defect, request } = exchange
  const ignored = wordsOfIgnored(ignoredIn(exchange))
  return (
    <div class="detail-body">
      <p class="request-line">
        <Status status={answer?.status} fault={exchange.fault} /> <Method name={request.method} />{' '}
        <code title={request.url}>{shortUrl(request.url)}</code>
      </p>
      <p class="quiet">
        {operationId ?? 'no operation'} · sent {realTime(exchange)} · {sandboxTime(now)} by the sandbox's clock ·{' '}
        {milliseconds.toFixed(1)} ms
        {hasChanged ? ' · changed the state' : ''}
        {exchange.copiedFrom === undefined ? '' : ` · happened in ${exchange.copiedFrom}`}
      </p>
      <Refusal exchange={exchange} />
      <Answerer exchange={exchange} />
      {ignored === '' ? null : (
        <p class="callout">
          Ignored, for the operation does not use it: <code>{ignored}</code>
        </p>
      )}
      <Actions exchange={exchange} open={open} />
      <ResponseComparison exchange={exchange} />
      {behaviours.length === 0 ? null : <Behaviours exchange={exchange} open={open} />}
      <h3>Request</h3>
      <Sent exchange={exchange} />
      <h3>Response</h3>
      <Answer exchange={exchange} />
      {defect === undefined ? null : <Json text={defect} label="Stack of the defect" />}
    </div>
  )
}

/** The request, with what was wrong at its place. */
function Sent({ exchange }: { readonly exchange: ExchangeRecord }) {
  const { request } = exchange
  const issues = exchange.issues.filter(({ message }) => !message.startsWith('response: '))
  // Each reason is said once, above: its place has its number.
  const reasons = [...new Set(exchange.issues.map(({ message }) => message))]
  const labelOf = (message: string) => `Problem ${reasons.indexOf(message) + 1}`
  const named = (kind: 'parameter' | 'header') =>
    new Map(
      issues.flatMap((issue) =>
        issue[kind] === undefined ? [] : [[issue[kind].toLowerCase(), labelOf(issue.message)] as const],
      ),
    )
  const marks = issues.flatMap(({ pointer, message }) =>
    pointer === undefined ? [] : [{ pointer, message: labelOf(message) }],
  )
  const query = [...new URL(request.url, location.origin).searchParams].map(([name, value]) => ({ name, value }))
  return (
    <>
      {query.length === 0 ? null : (
        <Headers of={query} kind="parameter" marks={named('parameter')} ignored={ignoredIn(exchange).query} />
      )}
      <Headers of={request.headers} marks={named('header')} />
      {request.body === null || request.body === '' ? (
        <p class="quiet">No body.</p>
      ) : (
        <Json text={request.body} label="Request body" marks={marks} />
      )}
      {request.isCut ? <p class="quiet">Only the start of the body is kept.</p> : null}
    </>
  )
}

function Answer({ exchange }: { readonly exchange: ExchangeRecord }) {
  const { answer } = exchange
  const events = streamedEvents(exchange)
  if (!answer) return <p>The connection ended without a byte.</p>
  return (
    <>
      <Headers of={answer.headers} />
      {answer.body === null || answer.body === '' ? (
        <p class="quiet">{answer.isForgotten ? 'The body was dropped to make room for later ones.' : 'No body.'}</p>
      ) : events ? (
        <EventList exchange={exchange} />
      ) : (
        <Json text={answer.body} label="Response body" />
      )}
      {answer.isComplete || (events && events.length > 0) || wasLeft(exchange) ? null : (
        <p class="error">The connection ended before all of it was sent.</p>
      )}
      {answer.isCut ? <p class="quiet">Only the start of the body is kept.</p> : null}
    </>
  )
}

/** Why a request was refused or failed, each reason once, and the fault that was applied. */
function Refusal({ exchange }: { readonly exchange: ExchangeRecord }) {
  const { problem, issues, fault, faultId, repeats, answer } = exchange
  const stub = headerOf(answer, 'x-mock-stub')
  const reasons = issues.length > 0 ? issues.map(({ message }) => message) : problem === null ? [] : [problem]
  return (
    <>
      {reasons.length === 0 ? null : (
        <div class="callout callout-bad">
          <h3>{titleOf(exchange)}</h3>
          <ol>
            {[...new Set(reasons)].map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ol>
        </div>
      )}
      {fault === null ? null : (
        <p class="callout">
          The fault <Link href="~/faults">{faultId ?? fault}</Link>
          {faultId === undefined ? '' : ` (${fault})`} was applied: without it the response would be another.
        </p>
      )}
      {stub === undefined ? null : (
        <p class="callout">
          The <Link href="~/stubs">stub</Link> {decodeURI(stub)} responded.
        </p>
      )}
      {repeats === undefined ? null : (
        <p class="callout">The browser silently repeated request {repeats} with this one.</p>
      )}
    </>
  )
}

/** The kinds of faults that respond themselves. */
const RESPONDING: ReadonlySet<string> = new Set(['status', 'rate-limit', 'cursor-expired', 'lost-answer'])

function titleOf({ fault, issues, answer, problem }: ExchangeRecord): string {
  if (problem === null && issues.length > 0) return 'It breaks the contract, and was handled without that'
  // What a service responded to a request that was forwarded.
  if (answer && answer.status < 400) return 'It breaks the contract'
  if (fault !== null && RESPONDING.has(fault) && issues.length === 0) return 'A fault responded'
  return (answer?.status ?? 0) >= 500 ? 'Why it failed' : 'Why it was refused'
}

function Actions({ exchange, open }: { readonly exchange: ExchangeRecord; readonly open: (id: number) => void }) {
  const [state, setState] = useState<{ readonly message?: string; readonly isSending: boolean }>({ isSending: false })
  const [isExplained, setExplained] = useState(false)
  const [isEdited, setEdited] = useState(false)
  const { request } = exchange
  const send = () => {
    setState({ isSending: true })
    sendAgain(exchange).then(
      (id) => {
        setState({ isSending: false })
        if (id !== undefined) open(id)
      },
      (error: unknown) => setState({ isSending: false, message: String(error) }),
    )
  }
  return (
    <>
      <div class="buttons exchange-actions">
        <CopyButton text={() => asCurl(request, CODE_URL, apiKey.value)} label="Copy as curl" />
        <CopyButton text={() => asFetch(request, CODE_URL, apiKey.value)} label="Copy as fetch" />
        <CopyTest exchange={exchange} />
        <button onClick={send} disabled={state.isSending || request.isCut}>
          <Icon name="reset" />
          Replay it
        </button>
        <button onClick={() => setEdited(!isEdited)} aria-expanded={isEdited} disabled={request.isCut}>
          Edit and send
        </button>
        {/* Why a request was refused is said already. */}
        {exchange.issues.length > 0 ? null : (
          <button onClick={() => setExplained(!isExplained)} aria-expanded={isExplained}>
            <Icon name="search" />
            Explain
          </button>
        )}
      </div>
      {request.headers.some(({ value }) => value.includes('[redacted]')) ? (
        <label class="field inline-field">
          <span>API key to send (the journal does not keep keys)</span>
          <input value={apiKey.value} onInput={(event) => (apiKey.value = event.currentTarget.value)} />
        </label>
      ) : null}
      <ErrorMessage text={state.message} />
      {isEdited ? <EditRequest exchange={exchange} open={open} /> : null}
      {isExplained ? <Explanation exchange={exchange} /> : null}
    </>
  )
}
