import { useState } from 'preact/hooks'
import type { ExchangeRecord, ListExplanation, SearchExplanation } from '../../../../src/control/client/types.ts'
import { Failed } from '../../parts/failed.tsx'
import { Json } from '../../parts/json.tsx'
import { useLoad } from '../../use-load.ts'
import { explain, type Named } from './explain.ts'

/** What the stand-in made of a request: how it read a search or a list, and why something is or is not in it. */
export function Explanation({ exchange }: { readonly exchange: ExchangeRecord }) {
  const [wanted, setWanted] = useState('')
  const { value, error } = useLoad((client) => explain(client, exchange, wanted), [exchange.id, wanted])
  if (error !== undefined) return <Failed error={error} />
  if (value === undefined) return <p class="quiet">Loading…</p>
  return (
    <div class="callout callout-plain" role="region" aria-label="Explanation">
      <h3>Explanation</h3>
      {value.isOfThen === undefined ? null : (
        <p class="quiet">
          {value.isOfThen
            ? 'By the state of the sandbox when the request came.'
            : 'By the state of the sandbox as it is now. It may have changed since the request.'}
        </p>
      )}
      {value.kind === 'nothing' ? <p>There is nothing to explain about this operation.</p> : null}
      {value.kind === 'search' ? <OfSearch explanation={value.explanation} /> : null}
      {value.kind === 'list' ? <OfList explanation={value.explanation} /> : null}
      {value.kind === 'schedule' ? <p>{value.explanation.why}</p> : null}
      {value.kind === 'search' || value.kind === 'list' ? (
        <form
          class="inline"
          onSubmit={(event) => {
            event.preventDefault()
            const given = new FormData(event.currentTarget).get('wanted')
            setWanted(typeof given === 'string' ? given.trim() : '')
          }}
        >
          <label class="field">
            <span>
              {value.kind === 'search'
                ? 'Why is this file (not) in it? Path, id or part of a name'
                : 'Why is this item (not) in it? Id or part of a name'}
            </span>
            <input key={wanted} name="wanted" defaultValue={wanted} />
          </label>
          <button>Ask</button>
        </form>
      ) : null}
      {value.kind === 'search' ? <EntryVerdict entry={value.explanation.entry} choose={setWanted} /> : null}
      {value.kind === 'list' && value.explanation.document ? (
        <>
          <Verdict isIn={value.explanation.document.state === 'listed'} why={value.explanation.document.why} />
          <Similar of={value.similar} choose={setWanted} />
        </>
      ) : null}
      {value.kind === 'nothing' ? null : (
        <details>
          <summary class="quiet">Everything</summary>
          <Json text={JSON.stringify(value.explanation)} label="The whole explanation" />
        </details>
      )}
    </div>
  )
}

function OfSearch({ explanation }: { readonly explanation: SearchExplanation }) {
  const { scope, clauses, combined, order, total, pages, cursor } = explanation
  return (
    <ul>
      <li>
        {scope.reads}: {scope.entries.toLocaleString()} entries.
      </li>
      {clauses.map(({ pointer, reads, holds, keepsOut }) => (
        <li key={pointer}>
          <code>{reads}</code> matches {holds.toLocaleString()}
          {keepsOut > 0 ? `, and alone keeps out ${keepsOut.toLocaleString()}` : ''}.
        </li>
      ))}
      <li>
        Sorted by {order.by.join(', ')}: {order.reads}.
      </li>
      {cursor ? <li>The cursor is {cursor.accepted ? 'accepted' : `refused: ${cursor.refusal ?? ''}`}.</li> : null}
      <li>
        {total.toLocaleString()} {total === 1 ? 'entry matches' : 'entries match'} {combined} of these, on{' '}
        {pages.toLocaleString()} {pages === 1 ? 'page' : 'pages'}.
      </li>
    </ul>
  )
}

interface EntryVerdictProps extends Pick<SearchExplanation, 'entry'> {
  /** Asks about another path. */
  readonly choose: (path: string) => void
}

function EntryVerdict({ entry, choose }: EntryVerdictProps) {
  if (!entry) return null
  const { inResult, why, matches = [] } = entry
  return (
    <>
      <Verdict isIn={inResult} why={why.replace(/ Did you mean .*$/, '')} />
      <Similar of={matches.map(({ id, path }) => ({ id, name: path }))} choose={(_id, path) => choose(path)} />
    </>
  )
}

function OfList({ explanation }: { readonly explanation: ListExplanation }) {
  const { collection, conditions, order, ignored, total, pageSize } = explanation
  return (
    <ul>
      <li>
        The list shows <code>{collection}</code>, {pageSize} on a page.
      </li>
      {conditions.map(({ reads, matches }) => (
        <li key={reads}>
          <code>{reads}</code> matches {matches.toLocaleString()}.
        </li>
      ))}
      <li>{order.length === 0 ? 'In the order of creation.' : `Sorted by ${order.join(', ')}.`}</li>
      {ignored.length === 0 ? null : <li>Without effect: {ignored.join(', ')}.</li>}
      <li>{total.toLocaleString()} in all.</li>
    </ul>
  )
}

/** What is said of it may begin with what the heading says. */
function Verdict({ isIn, why }: { readonly isIn: boolean; readonly why: string }) {
  const reason = why.replace(/^It is (?:not )?in the result: /, '')
  return (
    <p class={`callout ${isIn ? 'callout-good' : 'callout-bad'}`} role="status">
      <strong>{isIn ? 'It is in the result.' : 'It is not in the result.'}</strong>{' '}
      {reason.slice(0, 1).toUpperCase() + reason.slice(1)}
    </p>
  )
}

interface SimilarProps {
  readonly of: readonly Named[]
  readonly choose: (id: string, name: string) => void
}

/** What may be meant instead. */
function Similar({ of, choose }: SimilarProps) {
  if (of.length === 0) return null
  return (
    <>
      <p>Did you mean one of these?</p>
      <ul class="plain">
        {of.map(({ id, name }) => (
          <li key={id}>
            <button class="link" onClick={() => choose(id, name)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
