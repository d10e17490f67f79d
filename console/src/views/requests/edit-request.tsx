import { useState } from 'preact/hooks'
import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { ownHeaders } from '../../../../src/control/client/request-code.ts'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { sendAgain } from './replay.ts'

interface EditRequestProps {
  readonly exchange: ExchangeRecord
  /** Opens the exchange that was sent. */
  readonly open: (id: number) => void
}

/** A form to change a request and send it to the sandbox that is shown. */
export function EditRequest({ exchange, open }: EditRequestProps) {
  const { request } = exchange
  const [url, setUrl] = useState(request.url)
  const [headers, setHeaders] = useState(() =>
    ownHeaders(request.headers)
      .map(({ name, value }) => `${name}: ${value}`)
      .join('\n'),
  )
  const [body, setBody] = useState(indented(request.body ?? ''))
  const [refusal, setRefusal] = useState<string>()
  const send = () => {
    setRefusal(undefined)
    const edited = { ...request, url, headers: headersIn(headers), body: body === '' ? null : body }
    sendAgain({ ...exchange, request: edited }).then(
      (id) => {
        if (id !== undefined) open(id)
      },
      (error: unknown) => setRefusal(String(error)),
    )
  }
  return (
    <form
      class="form callout callout-plain"
      aria-label="Edit the request"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label class="field">
        <span>{request.method}</span>
        <input value={url} required onInput={(event) => setUrl(event.currentTarget.value)} />
      </label>
      <label class="field">
        <span>Headers</span>
        <textarea rows={4} value={headers} onInput={(event) => setHeaders(event.currentTarget.value)} />
      </label>
      {request.method === 'GET' ? null : (
        <label class="field">
          <span>Body</span>
          <textarea
            rows={Math.min(16, body.split('\n').length + 1)}
            value={body}
            onInput={(event) => setBody(event.currentTarget.value)}
          />
        </label>
      )}
      <div class="buttons">
        <button class="primary">Send</button>
      </div>
      <ErrorMessage text={refusal} />
    </form>
  )
}

function headersIn(text: string): ExchangeRecord['request']['headers'] {
  return text.split('\n').flatMap((line) => {
    const at = line.indexOf(':')
    return at < 1 ? [] : [{ name: line.slice(0, at).trim(), value: line.slice(at + 1).trim() }]
  })
}

/** Numbers that JavaScript cannot hold stay as they are: only JSON without them is laid out anew. */
function indented(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value) === text.replaceAll(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/g, '')
      ? JSON.stringify(value, null, 2)
      : text
  } catch {
    return text
  }
}
