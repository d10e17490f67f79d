import { useEffect, useState } from 'preact/hooks'
import type { SentRequest, Served } from './engine.ts'
import { asked, served } from './session.ts'

/** What was received. */
interface Received {
  readonly status: string
  readonly isGood: boolean
  readonly headers: string
  readonly body: string
}

/** Characters of a response that are shown. */
const MOST_SHOWN = 100_000

/** Sends requests to the stand-in: each operation with one that it accepts now. */
export function Try() {
  const { value } = served
  return value ? <Requests key={value.id} of={value} /> : <p class="wait">No document is served yet.</p>
}

function Requests({ of: { standin, operations, requestFor } }: { readonly of: Served }) {
  const [chosen, choose] = useState(operations[0]?.id ?? '')
  const [request, setRequest] = useState<SentRequest>()
  const [received, setReceived] = useState<Received>()
  const prepare = (id: string) => {
    choose(id)
    if (id === '') return
    requestFor(id).then(setRequest, (error: unknown) => setReceived(failureOf(error)))
  }
  const send = (sent: SentRequest) => {
    exchange(standin, sent).then(setReceived, (error: unknown) => setReceived(failureOf(error)))
  }
  useEffect(() => prepare(chosen), [])
  useEffect(() => {
    const sent = asked.value
    if (!sent) return
    asked.value = undefined
    choose('')
    setRequest(sent)
    send(sent)
  }, [asked.value])
  return (
    <div class="try">
      <label class="field">
        <span>Operation</span>
        <span class="row">
          <select value={chosen} onChange={({ currentTarget }) => prepare(currentTarget.value)}>
            <option value="" hidden>
              A request of your own
            </option>
            {operations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <button title="A request that the operation accepts now" onClick={() => prepare(chosen)} disabled={!chosen}>
            Fill in again
          </button>
        </span>
      </label>
      {request === undefined ? null : <Form request={request} change={setRequest} send={() => send(request)} />}
      {received === undefined ? (
        <p class="wait">
          The requests are answered in this tab. What you create is there for the next request, until you load the page
          again or change the document.
        </p>
      ) : (
        <Response of={received} />
      )}
    </div>
  )
}

interface FormProps {
  readonly request: SentRequest
  change(request: SentRequest): void
  send(): void
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

function Form({ request, change, send }: FormProps) {
  const { method, path, headers, body } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return (
    <form
      class="request"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div class="row">
        <select
          aria-label="Method"
          value={method}
          onChange={({ currentTarget }) => change({ ...request, method: currentTarget.value })}
        >
          {METHODS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <input
          aria-label="Path and query"
          class="path"
          value={path}
          onInput={({ currentTarget }) => change({ ...request, path: currentTarget.value })}
        />
        <button class="primary">Send</button>
      </div>
      <label class="field">
        <span>Headers</span>
        <textarea
          rows={Math.max(1, Object.keys(headers).length)}
          value={linesOf(headers)}
          onChange={({ currentTarget }) => change({ ...request, headers: headersIn(currentTarget.value) })}
        />
      </label>
      {hasBody ? (
        <label class="field">
          <span>Body</span>
          <textarea
            rows={Math.min(14, Math.max(2, body.split('\n').length))}
            value={body}
            onInput={({ currentTarget }) => change({ ...request, body: currentTarget.value })}
          />
        </label>
      ) : null}
    </form>
  )
}

function Response({ of: { status, isGood, headers, body } }: { readonly of: Received }) {
  return (
    <section class="response" aria-label="Response" aria-live="polite">
      <p class={isGood ? 'status status-good' : 'status status-bad'}>{status}</p>
      {body === '' ? null : <pre tabIndex={0}>{body}</pre>}
      {headers === '' ? null : (
        <details>
          <summary>Headers</summary>
          <pre tabIndex={0}>{headers}</pre>
        </details>
      )}
    </section>
  )
}

async function exchange(standin: Served['standin'], { method, path, headers, body }: SentRequest): Promise<Received> {
  const hasBody = method !== 'GET' && method !== 'HEAD' && body !== ''
  const response = await standin.fetch(path, { method, headers, ...(hasBody ? { body } : {}) })
  const text = await response.text()
  return {
    status: `${response.status} ${response.statusText}`,
    isGood: response.ok,
    headers: linesOf(Object.fromEntries(response.headers)),
    body: shown(text, response.headers.get('content-type') ?? ''),
  }
}

function failureOf(error: unknown): Received {
  return { status: `No response: ${(error as Error).message}`, isGood: false, headers: '', body: '' }
}

function shown(text: string, type: string): string {
  const whole = /[/+]json\b/.test(type) ? indented(text) : text
  if (whole.length <= MOST_SHOWN) return whole
  return `${whole.slice(0, MOST_SHOWN)}\n… ${(whole.length - MOST_SHOWN).toLocaleString('en')} more characters`
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2)
  } catch {
    // A fault may have cut it.
    return json
  }
}

function linesOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

function headersIn(lines: string): Record<string, string> {
  const pairs = lines.split('\n').map((line) => /^([^:\s]+):\s*(.*)$/.exec(line.trim()))
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1] ?? '', pair[2] ?? '']] : [])))
}
