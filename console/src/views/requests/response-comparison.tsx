import { signal } from '@preact/signals'
import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { Failed } from '../../parts/failed.tsx'
import { control } from '../../session.ts'
import { useLoad } from '../../use-load.ts'
import { Members } from '../sandboxes/differences.tsx'
import { diffResponses } from './response-diff.ts'

/** Which exchange each exchange repeats that was sent from here. */
const repeated = signal<ReadonlyMap<string, number>>(new Map())

const keyOf = ({ sandbox, id }: Pick<ExchangeRecord, 'sandbox' | 'id'>) => `${sandbox} ${id}`

/** Notes that an exchange was sent to be compared with an earlier one. */
export function noteRepeat(sandbox: string, id: number, of: number): void {
  repeated.value = new Map([...repeated.value, [keyOf({ sandbox, id }), of]])
}

const MOST = 100

/** What differs between a response and that of another request: of the one that it repeats, or of one that is chosen. */
export function ResponseComparison({ exchange }: { readonly exchange: ExchangeRecord }) {
  const { operationId, id } = exchange
  const key = keyOf(exchange)
  const with_ = repeated.value.get(key)
  const others = useLoad(
    (client) => client.listExchanges({ limit: MOST, ...(operationId === null ? {} : { operationId }) }),
    [id],
  )
  const ids = (others.value?.exchanges ?? []).map((one) => one.id).filter((one) => one !== id)
  const choices = [...new Set([...(with_ === undefined ? [] : [with_]), ...ids.toReversed()])]
  if (choices.length === 0) return null
  return (
    <section class={with_ === undefined ? '' : 'callout callout-plain'} aria-label="Comparison of responses">
      <label class="field inline-field">
        <span>Compare the response with that of request</span>
        <select
          value={with_ === undefined ? '' : String(with_)}
          onChange={({ currentTarget: { value } }) => {
            if (value !== '') noteRepeat(exchange.sandbox, id, Number(value))
          }}
        >
          {with_ === undefined ? <option value="">none</option> : null}
          {choices.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      {with_ === undefined ? null : <Compared key={with_} exchange={exchange} other={with_} />}
    </section>
  )
}

function Compared({ exchange, other }: { readonly exchange: ExchangeRecord; readonly other: number }) {
  const { value, error } = useLoad(() => control.value.getExchange(other), [other])
  if (error !== undefined) return <Failed error={error} />
  if (!value) return <p class="quiet">Comparing…</p>
  const differences = diffResponses(value, exchange)
  if (differences.length === 0)
    return (
      <p class="callout callout-good" role="status">
        The response is the same as that of request {other}.
      </p>
    )
  return (
    <>
      <p role="status">
        {differences.length} {differences.length === 1 ? 'difference' : 'differences'} to request {other}:
      </p>
      <div class="difference">
        <Members members={differences} left={`request ${other}`} right={`request ${exchange.id}`} />
      </div>
    </>
  )
}
