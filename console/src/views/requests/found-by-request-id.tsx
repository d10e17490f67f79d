import { Redirect } from 'wouter-preact'
import { CloseButton } from '../../parts/close-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import type { useExchanges } from '../../use-exchanges.ts'

interface FoundByRequestIdProps {
  readonly requestId: string
  readonly loaded: ReturnType<typeof useExchanges>
  readonly close: () => void
}

/** Leads from the id that a response carried to its exchange. */
export function FoundByRequestId({ requestId, loaded: { exchanges }, close }: FoundByRequestIdProps) {
  const found = exchanges?.find((one) => one.requestId === requestId)
  if (found) return <Redirect to={`/${found.id}`} replace />
  return (
    <section class="pane detail" aria-label="Request">
      <div class="toolbar">
        <span class="toolbar-rest" />
        <CloseButton close={close} />
      </div>
      {exchanges ? (
        <Empty title="This request is not in the journal">
          <p>
            The journal of a sandbox keeps the last 1,000 requests, and a reset empties it. No request there has the id{' '}
            <code>{requestId}</code>.
          </p>
        </Empty>
      ) : null}
    </section>
  )
}
