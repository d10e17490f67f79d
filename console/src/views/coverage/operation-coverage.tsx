import { Link } from 'wouter-preact'
import type { CoverageOperation } from '../../../../src/control/client/types.ts'
import { CloseButton } from '../../parts/close-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Method } from '../../parts/method.tsx'
import { Bar, Chips, percentOf } from './share.tsx'

interface OperationCoverageProps {
  readonly operation: CoverageOperation
  readonly close: () => void
}

/** What can be covered of one operation, and what is. */
export function OperationCoverage({ operation, close }: OperationCoverageProps) {
  const { operationId, method, path, requests, covered, total, items, undocumented } = operation
  const kinds = Object.entries(Object.groupBy(items, ({ kind }) => kind))
  return (
    <section class="pane detail" aria-label={`Coverage of ${operationId}`}>
      <div class="toolbar">
        <h2>{operationId}</h2>
        <span class="toolbar-rest" />
        <CloseButton close={close} />
      </div>
      <div class="detail-body" tabIndex={0}>
        <p class="request-line">
          <Method name={method} /> <code>{path}</code>
        </p>
        <p class="coverage-share">
          <span class="quiet">
            {covered} of {total} covered, {requests.toLocaleString('en')} {requests === 1 ? 'request' : 'requests'}
          </span>
          <span>{percentOf(operation)}</span>
        </p>
        <Bar share={operation} />
        {kinds.map(([kind, ofKind = []]) => (
          <section key={kind}>
            <h3>{kind}</h3>
            <Chips counts={ofKind} />
          </section>
        ))}
        {undocumented.length === 0 ? null : (
          <section>
            <h3>not in the contract</h3>
            <Chips counts={undocumented} isWarning />
          </section>
        )}
        <p class="buttons">
          <Link class="button" href={`~/faults/for/${encodeURIComponent(operationId)}`}>
            <Icon name="faults" />
            Arm a fault for it
          </Link>
          {requests === 0 ? null : (
            <Link class="button" href="~/requests">
              <Icon name="requests" />
              Latest requests
            </Link>
          )}
        </p>
      </div>
    </section>
  )
}
