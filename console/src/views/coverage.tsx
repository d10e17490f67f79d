import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { CoverageOperation, CoverageReport } from '../../../src/control/client/types.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Failed } from '../parts/failed.tsx'
import { Method } from '../parts/method.tsx'
import { useEscape } from '../parts/use-escape.ts'
import { control, IS_PLAYGROUND, messageOf, sandboxName, SERVICE_URL } from '../session.ts'
import { useLoad } from '../use-load.ts'
import { UsedBehaviours } from './coverage/used-behaviours.tsx'
import { Bar, Chips, percentOf } from './coverage/share.tsx'
import { OperationCoverage } from './coverage/operation-coverage.tsx'
import './coverage/coverage.css'

type Scope = 'server' | 'sandbox'

/** What clients used of the contract, and on which behaviours responses depended. */
export function Coverage() {
  const [scope, setScope] = useState<Scope>('server')
  const [text, setText] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [location, go] = useLocation()
  const { value, error, reload } = useLoad((client) => client.getCoverage({ scope }), [scope], ['exchange', 'state'])
  const selected = value?.operations.find(({ operationId }) => `/${operationId}` === decodeURIComponent(location))
  const close = () => go('/')
  useEscape(selected !== undefined, close)
  const restart = () => {
    control.value.deleteCoverage({ scope }).then(reload, (failure: unknown) => setRefusal(messageOf(failure)))
  }
  return (
    <div class={`split ${selected ? 'split-open' : ''}`}>
      <section class="pane" aria-label="Coverage">
        <div class="toolbar">
          <h1>Coverage</h1>
          <input
            type="search"
            aria-label="Filter operations"
            placeholder="Filter"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <div class="choices" role="group" aria-label="Show">
            <button aria-pressed={scope === 'server'} onClick={() => setScope('server')}>
              All sandboxes
            </button>
            <button aria-pressed={scope === 'sandbox'} onClick={() => setScope('sandbox')}>
              Only {sandboxName.value}
            </button>
          </div>
          <span class="toolbar-rest" />
          {value && value.requests > 0 ? (
            <ConfirmButton label="Begin again" question="Forget what was counted?" act={restart} />
          ) : null}
        </div>
        {error === undefined ? null : <Failed error={error} retry={reload} />}
        {refusal === undefined ? null : <Failed error={refusal} retry={restart} />}
        {value ? <Report report={value} text={text} selected={selected} /> : null}
      </section>
      {selected ? <OperationCoverage operation={selected} close={close} /> : null}
    </div>
  )
}

interface ReportProps {
  readonly report: CoverageReport
  /** Shows only operations with this text. */
  readonly text: string
  readonly selected: CoverageOperation | undefined
}

function Report({ report, text, selected }: ReportProps) {
  const { total, kinds, operations, faults, unmatched, requests } = report
  const shown = operations.filter(({ operationId, method, path }) =>
    `${operationId} ${method} ${path}`.toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <div class="pane-body">
      {requests === 0 ? (
        <FirstVisit />
      ) : (
        <>
          <p class="coverage-total">
            <strong>{percentOf(total)}</strong>
            <span class="quiet">
              {total.covered} of {total.total} covered by {requestsInWords(requests)}
            </span>
          </p>
          <Bar share={total} />
          <ul class="plain coverage-kinds">
            {kinds.map((one) => (
              <li key={one.kind} class="card">
                <strong>{one.kind}</strong>
                <p class="coverage-share">
                  <span class="quiet">
                    {one.covered} of {one.total}
                  </span>
                  <span>{percentOf(one)}</span>
                </p>
                <Bar share={one} />
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>Operations</h2>
      {shown.length === 0 ? <Empty title="No operation matches the filter" /> : null}
      <ul class="plain coverage-operations">
        {shown.map((one) => (
          <Operation key={one.operationId} operation={one} isSelected={one === selected} />
        ))}
      </ul>
      <UsedBehaviours behaviours={report.behaviours} />
      <h2>Faults</h2>
      <Chips counts={faults} />
      {unmatched.length === 0 ? null : (
        <>
          <h2>Requests to no operation</h2>
          <Chips counts={unmatched} isWarning />
        </>
      )}
    </div>
  )
}

function FirstVisit() {
  return (
    <div class="coverage-first">
      <Empty icon="coverage" title="No request was counted yet">
        <p>
          {IS_PLAYGROUND ? (
            'Send requests in Try or in the API docs.'
          ) : (
            <>
              Point your app or your tests at <code>{SERVICE_URL}</code>.
            </>
          )}{' '}
          What their requests use of the contract fills in below.
        </p>
      </Empty>
    </div>
  )
}

interface OperationProps {
  readonly operation: CoverageOperation
  readonly isSelected: boolean
}

function Operation({ operation, isSelected }: OperationProps) {
  const { operationId, method, path, requests } = operation
  return (
    <li>
      <Link
        href={`/${encodeURIComponent(operationId)}`}
        class="list-link coverage-operation"
        data-item="opens"
        aria-current={isSelected}
      >
        <span>
          <span class="list-title">{operationId}</span>
          <span class="list-note">
            <Method name={method} /> <code>{path}</code>
          </span>
        </span>
        <span class="quiet">{requestsInWords(requests)}</span>
        <Bar share={operation} />
        <span>{percentOf(operation)}</span>
      </Link>
    </li>
  )
}

function requestsInWords(count: number): string {
  if (count === 0) return 'no request'
  return count === 1 ? '1 request' : `${count.toLocaleString('en')} requests`
}
