import { ErrorMessage } from '../../parts/error-message.tsx'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CollectionSchema, ListExplanation } from '../../../../src/control/client/types.ts'
import { control, messageOf } from '../../session.ts'
import { cellText } from './choose-columns.ts'

interface ExplainItemProps {
  readonly name: string
  readonly id: string
  readonly schema: CollectionSchema
}

/** Asks why a list shows the document or not. */
export function ExplainItem({ name, id, schema: { lists } }: ExplainItemProps) {
  const [operationId, setOperationId] = useState(lists[0]?.operationId ?? '')
  const [path, setPath] = useState<Readonly<Record<string, string>>>({})
  const [query, setQuery] = useState('')
  const [explanation, setExplanation] = useState<ListExplanation>()
  const [refusal, setRefusal] = useState<string>()
  const list = lists.find((one) => one.operationId === operationId)
  if (!list) return null
  const known = idsOf(name, list.path)
  const ask = (event: Event) => {
    event.preventDefault()
    setRefusal(undefined)
    const values = Object.fromEntries(list.pathParameters.map((one) => [one, path[one] ?? known[one] ?? '']))
    const asked = {
      operationId,
      path: values,
      query: Object.fromEntries(new URLSearchParams(query.replace(/^.*\?/, ''))),
    }
    control.value.explainList(asked, id).then(setExplanation, (error: unknown) => {
      setExplanation(undefined)
      setRefusal(messageOf(error))
    })
  }
  return (
    <form class="form explain-item" onSubmit={ask}>
      <h3>Why is it in a list, or not?</h3>
      {lists.length === 1 ? null : (
        <label class="field">
          <span>List</span>
          <select value={operationId} onChange={({ currentTarget }) => setOperationId(currentTarget.value)}>
            {lists.map((one) => (
              <option key={one.operationId} value={one.operationId}>
                GET {one.path}
              </option>
            ))}
          </select>
        </label>
      )}
      {list.pathParameters.map((one) => (
        <label class="field" key={one}>
          <span>{one}</span>
          <input
            value={path[one] ?? known[one] ?? ''}
            onInput={({ currentTarget }) => setPath({ ...path, [one]: currentTarget.value })}
          />
        </label>
      ))}
      <div class="inline">
        <label class="field">
          <span>Query of the list, as you send it</span>
          <input
            value={query}
            placeholder={
              list.queryParameters.length === 0
                ? 'none'
                : list.queryParameters
                    .slice(0, 3)
                    .map((one) => `${one}=…`)
                    .join('&')
            }
            onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          />
        </label>
        <button>Ask</button>
      </div>
      <ErrorMessage text={refusal} />
      {explanation?.document ? <Answer explanation={explanation} document={explanation.document} /> : null}
    </form>
  )
}

/** The ids of the parents in the name of an instance, by the parameters of a path that begins the same. */
function idsOf(name: string, path: string): Readonly<Record<string, string>> {
  const parts = name.split('/')
  const template = path.split('/').slice(-parts.length)
  return Object.fromEntries(
    template.flatMap((part, at) =>
      part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(parts[at] ?? '')]] : [],
    ),
  )
}

interface AnswerProps {
  readonly explanation: ListExplanation
  readonly document: NonNullable<ListExplanation['document']>
}

function Answer({ explanation, document: { state, why, position, page, conditions = [] } }: AnswerProps) {
  const isListed = state === 'listed'
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [explanation])
  return (
    <div ref={element} class={`callout ${isListed ? 'callout-good' : 'callout-bad'}`} role="status">
      <strong>
        {isListed ? `It is in the list${page === undefined ? '' : `, on page ${page}`}.` : 'It is not in the list.'}
      </strong>
      <p>
        {why}
        {position === undefined ? '' : ` It is number ${position} of ${explanation.total}.`}
      </p>
      {conditions.length === 0 ? null : (
        <ul>
          {conditions.map(({ reads, holds, value }) => (
            <li key={reads}>
              {holds ? 'Yes' : 'No'}: {reads}
              {holds || value === undefined ? '' : `; it has ${cellText(value)}`}
            </li>
          ))}
        </ul>
      )}
      {explanation.ignored.length === 0 ? null : <p>Without effect: {explanation.ignored.join(', ')}.</p>}
    </div>
  )
}
