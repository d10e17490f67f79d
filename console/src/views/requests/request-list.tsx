import { useEffect, useRef, useState } from 'preact/hooks'
import type { ExchangeRecord, ExchangeFilter } from '../../../../src/control/client/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Status } from '../../parts/status.tsx'
import { VirtualRows } from '../../parts/virtual-rows.tsx'
import { control, info, SERVICE_URL } from '../../session.ts'
import { useLoad } from '../../use-load.ts'

interface RequestsProps {
  readonly selected: number | undefined
  readonly open: (id: number) => void
}

const SHOWS = [
  { label: 'All', status: '' },
  { label: 'Refused', status: '4XX' },
  { label: 'Failed', status: '5XX' },
  { label: 'Broken', status: '0' },
] as const

/** The most that the journal gives at once. */
const LIMIT = 1_000

export function Requests({ selected, open }: RequestsProps) {
  const [status, setStatus] = useState<string>('')
  const [text, setText] = useState('')
  const path = useSettled(text)
  const filter: ExchangeFilter = {
    ...(status === '' ? {} : { status }),
    ...(path === '' ? {} : { path: `*${path}*` }),
  }
  const { value, error, reload } = useLoad(
    (client) => client.listExchanges({ ...filter, limit: LIMIT }),
    [status, path],
    ['exchange'],
  )
  const exchanges = [...(value?.exchanges ?? [])].reverse()
  const isFiltered = status !== '' || path !== ''
  return (
    <section class="pane" aria-label="Requests">
      <div class="toolbar">
        <h1>Requests</h1>
        <input
          type="search"
          placeholder="Filter by path"
          aria-label="Filter by path"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <div class="choices" role="group" aria-label="Show">
          {SHOWS.map((show) => (
            <button key={show.label} aria-pressed={status === show.status} onClick={() => setStatus(show.status)}>
              {show.label}
            </button>
          ))}
        </div>
        <button onClick={() => void control.value.deleteJournal().then(reload)}>Clear</button>
      </div>
      {error === undefined ? null : <Failed error={error} retry={reload} />}
      {value && exchanges.length === 0 ? (
        isFiltered ? (
          <Empty title="No request matches the filter" />
        ) : (
          <NoRequests />
        )
      ) : (
        <VirtualRows
          label="Requests"
          columns={['Status', 'Method', 'Path', 'Operation', 'Time', 'ms']}
          widths="4.5rem 4.5rem minmax(10rem, 3fr) minmax(6rem, 1.5fr) 6rem 4.5rem"
          narrow={{ columns: [0, 1, 2], widths: '3.6rem 3.6rem minmax(0, 1fr)' }}
          count={exchanges.length}
          keyOf={(index) => exchanges[index]?.id ?? index}
          onOpen={(index) => {
            const exchange = exchanges[index]
            if (exchange) open(exchange.id)
          }}
          isSelected={(index) => exchanges[index]?.id === selected}
        >
          {(index) => cellsOf(exchanges[index])}
        </VirtualRows>
      )}
    </section>
  )
}

function cellsOf(exchange: ExchangeRecord | undefined) {
  if (!exchange) return []
  const { request, answer, fault, operationId, now, milliseconds, issues, problem } = exchange
  const why = issues[0]?.message ?? problem
  return [
    <Status status={answer?.status} fault={fault} />,
    request.method,
    <span title={why ?? request.url}>
      {request.url}
      {fault === null ? null : <span class="tag">{fault}</span>}
    </span>,
    operationId ?? <span class="quiet">no operation</span>,
    <time dateTime={now}>{now.slice(11, 19)}</time>,
    milliseconds.toFixed(1),
  ]
}

function NoRequests() {
  const [first] = info.value?.operations ?? []
  return (
    <Empty title="No requests yet">
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

/** A text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  useEffect(() => {
    timer.current = setTimeout(() => setSettled(text), 200)
    return () => clearTimeout(timer.current)
  }, [text])
  return settled
}
