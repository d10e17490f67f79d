import { useState } from 'preact/hooks'
import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Method } from '../../parts/method.tsx'
import { Status } from '../../parts/status.tsx'
import { VirtualRows } from '../../parts/rows/virtual-rows.tsx'
import { control, info, IS_PLAYGROUND, messageOf, sandboxName, SERVICE_URL } from '../../session.ts'
import type { useExchanges } from '../../use-exchanges.ts'
import { realTime, sandboxTime } from './exchange-times.ts'
import { answererOf } from './answerer.tsx'
import { askedOf } from './rows/asked.ts'
import { shortUrl, splitPath } from './short-url.ts'
import { pageWords, type Row, type Walk } from './rows/walks.ts'
import { StreamTag } from './stream/event-list.tsx'
import { type ExchangeChoice, filterExchanges, type Outcome, outcomeOf } from './filter-exchanges.ts'

interface RequestListProps {
  readonly loaded: ReturnType<typeof useExchanges>
  /** Those that the choice leaves. */
  readonly rows: readonly Row[]
  /** Shows the pages of a walk one by one, or in one row again. */
  readonly toggle: (walk: Walk) => void
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

export function RequestList({ loaded, rows, toggle, selected, open, choice, choose }: RequestListProps) {
  const isOpen = selected !== undefined
  const hasReasons = choice.outcome === 'refused' || choice.outcome === 'failed'
  const isFiltered = choice.outcome !== 'all' || choice.text !== '' || choice.behaviour !== ''
  return (
    <section class="pane" aria-label="Requests">
      <Toolbar loaded={loaded} choice={choice} choose={choose} />
      {loaded.error === undefined ? null : <Failed error={loaded.error} retry={loaded.reload} />}
      {loaded.exchanges && rows.length === 0 ? (
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
          {...layoutOf(isOpen, hasReasons)}
          count={rows.length}
          keyOf={(index) => rows[index]?.exchange.id ?? index}
          onOpen={(index) => {
            const row = rows[index]
            if (row) open(row.exchange.id)
          }}
          isSelected={(index) => rows[index]?.exchange.id === selected}
          opensOnMove={isOpen}
        >
          {(index) => cellsOf(rows[index], { isOpen, hasReasons, toggle })}
        </VirtualRows>
      )}
    </section>
  )
}

function Toolbar({ loaded, choice, choose }: Pick<RequestListProps, 'loaded' | 'choice' | 'choose'>) {
  const [refusal, setRefusal] = useState<string>()
  const { exchanges = [], reload } = loaded
  const counted = filterExchanges(exchanges, { ...choice, outcome: 'all' })
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
        <Outcomes exchanges={counted} choice={choice} choose={choose} />
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

/** The columns. Where one request is shown beside the list there is less room; why requests failed is what a list of these is read for. */
function layoutOf(isOpen: boolean, hasReasons: boolean) {
  if (hasReasons)
    return {
      columns: ['Status', 'Method', 'Request', 'Why', ...(isOpen ? [] : ['Sent'])],
      widths: `4.5rem 4.5rem minmax(8rem, 2fr) minmax(12rem, 3fr) ${isOpen ? '' : '9.6rem'}`,
      narrow: { columns: [0, 2, 3], widths: '3.8rem minmax(0, 2fr) minmax(0, 3fr)' },
    }
  return {
    columns: ['Status', 'Method', 'Request', 'Sent', ...(isOpen ? [] : ["Sandbox's clock", 'ms'])],
    widths: `4.5rem 4.5rem minmax(10rem, 1fr) 9.6rem ${isOpen ? '' : '11rem 4rem'}`,
    narrow: { columns: [0, 1, 2], widths: '3.8rem 4.2rem minmax(0, 1fr)' },
  }
}

interface CellOptions {
  readonly isOpen: boolean
  readonly hasReasons: boolean
  readonly toggle: (walk: Walk) => void
}

function cellsOf(row: Row | undefined, { isOpen, hasReasons, toggle }: CellOptions) {
  if (!row) return []
  const { exchange } = row
  const { request, answer, fault, operationId, now, milliseconds, issues, problem } = exchange
  const why = issues[0]?.message ?? problem
  const { gist, ignored } = askedOf(row)
  const [start, end] = splitPath(shortUrl(request.url.split('?', 1)[0] ?? ''))
  return [
    <Status status={answer?.status} fault={fault} />,
    <Method name={request.method} />,
    <span class="request-cell" title={[request.url, operationId, why].filter(Boolean).join('\n')}>
      <span class="request-url">
        <span>{start}</span>
        <span>{end}</span>
      </span>
      {gist === '' ? null : <span class="gist">{gist}</span>}
      {ignored === '' ? null : <span class="tag tag-warn">ignored: {ignored}</span>}
      <Chips row={row} toggle={toggle} />
      {why === null || hasReasons ? null : <span class="why">{shortReason(why)}</span>}
    </span>,
    ...(hasReasons ? [<span title={why ?? ''}>{shortReason(why ?? '')}</span>] : []),
    ...(hasReasons && isOpen ? [] : [<time dateTime={exchange.answeredAt}>{realTime(exchange)}</time>]),
    ...(isOpen || hasReasons ? [] : [<time dateTime={now}>{sandboxTime(now)}</time>, milliseconds.toFixed(1)]),
  ]
}

/** A reason without the list of allowed words, which would push the suggestion out of the row. */
function shortReason(why: string): string {
  return /did you mean /i.test(why) ? why.replace(/expected one of .+, got /, 'got ') : why
}

/** The pages of a walk, the faults that struck, that the service behind the server responded, and the sandbox that is not the default one. */
function Chips({
  row: { exchange, walk, page },
  toggle,
}: {
  readonly row: Row
  readonly toggle: (walk: Walk) => void
}) {
  const pages = walk && page === undefined ? walk.pages : [exchange]
  const faults = new Set(pages.flatMap(({ fault, faultId }) => (fault === null ? [] : [faultId ?? fault])))
  const { sandbox, copiedFrom = sandbox } = exchange
  return (
    <>
      {walk ? (
        <button
          class="tag page-chip"
          aria-expanded={page !== undefined}
          title={page === undefined ? 'Show each page' : 'Show the pages in one row'}
          onClick={(event) => {
            event.stopPropagation()
            toggle(walk)
          }}
        >
          {pageWords(walk, page)}
        </button>
      ) : null}
      <StreamTag exchange={exchange} />
      {[...faults].map((fault) => (
        <span key={fault} class="tag tag-warn">
          {fault}
        </span>
      ))}
      {pages.some((page) => answererOf(page) === 'upstream') ? <span class="tag">upstream</span> : null}
      {copiedFrom === 'default' && sandbox === 'default' ? null : <span class="tag">{copiedFrom}</span>}
    </>
  )
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
        {IS_PLAYGROUND ? (
          'Send a request in Try or in the API docs: it appears here.'
        ) : (
          <>
            Point your app at <code>{SERVICE_URL}</code>. Its requests appear here as they arrive.
          </>
        )}
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
