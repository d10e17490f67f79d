import { Link } from 'wouter-preact'
import type { FaultRecord } from '../../../../src/control/client/types.ts'
import { CloseButton } from '../../parts/close-button.tsx'
import { callAsCode } from '../../../../src/control/client/as-code.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Method } from '../../parts/method.tsx'
import { Status } from '../../parts/status.tsx'
import { sandboxName } from '../../session.ts'
import { useExchanges } from '../../use-exchanges.ts'
import { limitsOf, titleOf } from './fault-words.ts'

interface FaultDetailProps {
  readonly fault: FaultRecord
  readonly remove: () => void
  readonly close: () => void
}

/** One fault: the requests that it struck, and how a test arms it. */
export function FaultDetail({ fault, remove, close }: FaultDetailProps) {
  const { id, spent, struck, matched } = fault
  const { exchanges = [] } = useExchanges()
  const hit = exchanges.filter(({ faultId }) => faultId === id)
  const code = callAsCode('armFaults', [armedAs(fault)], sandboxName.value)
  return (
    <section class="pane detail" aria-label={`Fault ${id}`}>
      <div class="toolbar">
        <h2>
          <code>{id}</code>
        </h2>
        <span class="toolbar-rest" />
        <button onClick={remove}>Remove</button>
        <CloseButton close={close} />
      </div>
      <div class="detail-body">
        <p class="lead">{titleOf(fault)}</p>
        <p class="quiet">{limitsOf(fault).join(' · ')}</p>
        <p>
          It struck {struck} of {matched} matching {matched === 1 ? 'request' : 'requests'}
          {spent ? ', and is used up.' : '.'}
        </p>
        <h3>Requests that it struck</h3>
        {hit.length === 0 ? <p class="quiet">The journal has none.</p> : null}
        <ul class="plain">
          {hit.slice(0, SHOWN).map(({ id: exchange, request, answer }) => (
            <li key={exchange}>
              <Link href={`~/requests/${exchange}`} class="list-link exchange-link">
                <Status status={answer?.status} /> <Method name={request.method} /> <code>{request.url}</code>
              </Link>
            </li>
          ))}
        </ul>
        {hit.length > SHOWN ? <p class="quiet">and {hit.length - SHOWN} more</p> : null}
        <h3>In a test</h3>
        <div class="json">
          <CopyButton text={code} />
          <pre tabIndex={0}>{code}</pre>
        </div>
      </div>
    </section>
  )
}

/** The most requests that are listed. */
const SHOWN = 20

const COUNTED: ReadonlySet<string> = new Set(['matched', 'struck', 'spent'])

/** What arms it again: without its counters, and what has its usual value. */
function armedAs(fault: FaultRecord): object {
  const usual: Readonly<Record<string, unknown>> = { chance: 1, after: 0 }
  return Object.fromEntries(
    Object.entries(fault).filter(
      ([name, value]) =>
        !COUNTED.has(name) && usual[name] !== value && !(name === 'match' && Object.keys(value as object).length === 0),
    ),
  )
}
