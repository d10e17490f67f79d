import { useState } from 'preact/hooks'
import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Method } from '../../parts/method.tsx'
import { Status } from '../../parts/status.tsx'
import { VirtualRows } from '../../parts/virtual-rows.tsx'
import { control, info, messageOf, sandboxName, SERVICE_URL } from '../../session.ts'
import type { useExchanges } from '../../use-exchanges.ts'
import { shortUrl } from './short-url.ts'
import { type ExchangeChoice, type Outcome, outcomeOf } from './filter-exchanges.ts'

interface RequestListProps {
  readonly loaded: ReturnType<typeof useExchanges>
  /** Those that the choice leaves. */
  readonly shown: readonly ExchangeRecord[]
  readonly selected: number | undefined
  readonly open: (id: number) => void
  readonly choice: ExchangeChoice
  readonly choose: (choice: ExchangeChoice) => void
}

const OUTCOMES: readonly { readonly outcome: Outcome; readonly label: string; readonly title: string }[] = [
  { outcome: 'all', label: 'All', title: 'Every request' },
  { outcome: 'refused', label: 'Refused', title: 'Status 4xx' },
  { outcome: 'failed', label: 'Failed', title: 'Status 5xx' },
  { outcome: 'broken', label: 'Broken', title: 'Without a whole response' },
]

export function RequestList({ loaded, shown, selected, open, choice, choose }: RequestListProps) {
  const isOpen = selected !== undefined
  const isFiltered = choice.outcome !== 'all' || choice.text !== '' || choice.behaviour !== ''
  return (
    <section class="pane" aria-label="Requests">
      <Toolbar loaded={loaded} choice={choice} choose={choose} />
      {loaded.error === undefined ? null : <Failed error={loaded.error} retry={loaded.reload} />}
      {loaded.exchanges && shown.length === 0 ? (
        isFiltered ? (
          <Empty title="No request matches the filter">
            <button onClick={() => choose({ outcome: 'all', text: '', behaviour: '' })}>Show all requests</button>
          </Empty>
        ) : (
          <NoRequests />
        )
      ) : (
        <VirtualRows
          label="Requests"
          columns={['Status', 'Method', 'Path', ...(isOpen ? [] : ['Operation']), 'Time', 'ms']}
          widths={`4.5rem 4.5rem minmax(10rem, 3fr) ${isOpen ? '' : 'minmax(6rem, 1fr)'} 5rem 4.5rem`}
          narrow={{ columns: [0, 1, 2], widths: '3.8rem 4.2rem minmax(0, 1fr)' }}
          count={shown.length}
          keyOf={(index) => shown[index]?.id ?? index}
          onOpen={(index) => {
            const exchange = shown[index]
            if (exchange) open(exchange.id)
          }}
          isSelected={(index) => shown[index]?.id === selected}
          opensOnMove={isOpen}
        >
          {(index) => cellsOf(shown[index], isOpen)}
        </VirtualRows>
      )}
    </section>
  )
}

function Toolbar({ loaded, choice, choose }: Pick<RequestListProps, 'loaded' | 'choice' | 'choose'>) {
  const [refusal, setRefusal] = useState<string>()
  const { exchanges = [], reload } = loaded
  const act = (result: Promise<unknown>) => {
    setRefusal(undefined)
    result.catch((error: unknown) => setRefusal(messageOf(error)))
  }
  return (
    <>
      <div class="toolbar">
        <h1>Requests</h1>
        {choice.behaviour === '' ? null : (
          <button class="filter-chip" onClick={() => choose({ ...choice, behaviour: '' })} title="Show every request">
            <code>{choice.behaviour}</code> ×
          </button>
        )}
        <span class="toolbar-rest" />
        {exchanges.length === 0 ? null : (
          <>
            <button onClick={() => act(download())} title="For the network tab of a browser">
              Export HAR
            </button>
            <ConfirmButton
              label="Clear"
              question="Clear for good?"
              act={() => act(control.value.deleteJournal().then(reload))}
            />
          </>
        )}
      </div>
      <div class="toolbar toolbar-filter">
        <input
          type="search"
          placeholder="Path, operation or text in a body"
          aria-label="Filter by path, operation or text in a body"
          value={choice.text}
          onInput={(event) => choose({ ...choice, text: event.currentTarget.value })}
        />
        <Outcomes exchanges={exchanges} choice={choice} choose={choose} />
      </div>
      {refusal === undefined ? null : <Failed error={refusal} />}
    </>
  )
}

interface OutcomesProps extends Pick<RequestListProps, 'choice' | 'choose'> {
  readonly exchanges: readonly ExchangeRecord[]
}

function Outcomes({ exchanges, choice, choose }: OutcomesProps) {
  return (
    <div class="choices" role="group" aria-label="Show">
      {OUTCOMES.map(({ outcome, label, title }) => (
        <button
          key={outcome}
          title={title}
          aria-pressed={choice.outcome === outcome}
          onClick={() => choose({ ...choice, outcome })}
        >
          {label} {outcome === 'all' ? null : <Count of={exchanges} outcome={outcome} />}
        </button>
      ))}
    </div>
  )
}

/** The number of responses with this outcome; nothing for none. */
function Count({ of, outcome }: { readonly of: readonly ExchangeRecord[]; readonly outcome: Outcome }) {
  const count = of.filter((one) => outcomeOf(one) === outcome).length
  return count === 0 ? null : <span class={`count count-${outcome}`}>{count}</span>
}

/** @param isOpen whether one is shown beside the list, with its operation and what was wrong: the path gets the room */
function cellsOf(exchange: ExchangeRecord | undefined, isOpen: boolean) {
  if (!exchange) return []
  const { request, answer, fault, faultId, operationId, now, milliseconds, issues, problem } = exchange
  const why = issues[0]?.message ?? problem
  return [
    <Status status={answer?.status} fault={fault} />,
    <Method name={request.method} />,
    <span class="request-cell" title={why === null ? request.url : `${request.url}\n${why}`}>
      <span class="request-url">{shortUrl(request.url)}</span>
      {fault === null ? null : <span class="tag">{faultId ?? fault}</span>}
      {why === null || isOpen ? null : <span class="why">{why}</span>}
    </span>,
    ...(isOpen ? [] : [<Operation id={operationId} />]),
    <time dateTime={now}>{now.slice(11, 19)}</time>,
    milliseconds.toFixed(1),
  ]
}

function Operation({ id }: { readonly id: string | null }) {
  return id === null ? <span class="quiet">no operation</span> : <span title={id}>{id}</span>
}

/** Saves the journal as an HTTP Archive. */
async function download(): Promise<void> {
  const har = await control.value.exportHar()
  const address = URL.createObjectURL(new Blob([JSON.stringify(har)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${sandboxName.value}.har`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 1_000)
}

function NoRequests() {
  const [first] = info.value?.operations ?? []
  return (
    <Empty icon="requests" title="No requests yet">
      <p>
        Point your app at <code>{SERVICE_URL}</code>. Its requests appear here as they arrive.
      </p>
      {first ? (
        <p>
          The first operation of the contract is{' '}
          <code>
            {first.method} {first.path}
          </code>
          .
        </p>
      ) : null}
    </Empty>
  )
}
