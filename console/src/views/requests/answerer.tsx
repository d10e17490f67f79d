import { useState } from 'preact/hooks'
import type { AnswererName, ExchangeRecord } from '../../../../src/control/client/types.ts'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { control, messageOf } from '../../session.ts'
import { useLoad } from '../../use-load.ts'
import { headerOf } from './header-of.ts'

/** Who handled an exchange, by its response; undefined where no service is behind the server. */
export function answererOf({ answer }: Pick<ExchangeRecord, 'answer'>): AnswererName | undefined {
  const said = headerOf(answer, 'x-mock-answered-by')
  return said === 'mock' || said === 'upstream' ? said : undefined
}

/** What the service said before the request was handled here after all. */
function fallbackOf({ request }: ExchangeRecord): string | undefined {
  return headerOf(request, 'x-mock-upstream-said')
}

/** Says who handled an exchange, and lets the other one handle the operation from now on. */
export function Answerer({ exchange }: { readonly exchange: ExchangeRecord }) {
  const answeredBy = answererOf(exchange)
  return answeredBy === undefined ? null : <Known exchange={exchange} answeredBy={answeredBy} />
}

function Known({ exchange, answeredBy }: { readonly exchange: ExchangeRecord; readonly answeredBy: AnswererName }) {
  const { value, reload } = useLoad((client) => client.getUpstream(), [])
  const [message, setMessage] = useState<string>()
  const { operationId } = exchange
  const said = fallbackOf(exchange)
  const present = value?.operations.find((one) => one.operationId === operationId)?.answeredBy
  const other: AnswererName = present === 'mock' ? 'upstream' : 'mock'
  const change = () => {
    setMessage(undefined)
    control.value
      .changeUpstream({ operations: { [operationId ?? '']: other } })
      .then(reload, (error: unknown) => setMessage(messageOf(error)))
  }
  return (
    <div class="callout">
      <p>
        {answeredBy === 'upstream' ? (
          <>
            Handled by the service <code>{value?.url}</code>.
          </>
        ) : said === undefined ? (
          'Handled by this server, not by the service behind it.'
        ) : (
          `Handled by this server, for the service ${said === 'down' ? 'is down' : `responded with ${said}`}.`
        )}
      </p>
      {present === undefined ? null : (
        <p>
          From now on, {present === 'mock' ? 'this server' : 'the service'} handles <code>{operationId}</code>.{' '}
          <button onClick={change}>{other === 'mock' ? 'Handle it here' : 'Let the service handle it'}</button>
        </p>
      )}
      <ErrorMessage text={message} />
    </div>
  )
}
