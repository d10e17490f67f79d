import type { ExchangeRecord } from '../../../src/control/client/types.ts'

interface HeadersProps {
  readonly of: ExchangeRecord['request']['headers']
  /** What they are: headers, or parameters of a query. */
  readonly kind?: 'header' | 'parameter'
  /** What is wrong with one, by its name in lower case. The list is open then. */
  readonly marks?: ReadonlyMap<string, string>
  /** Names of those that had no effect. */
  readonly ignored?: readonly string[]
}

export function Headers({ of, kind = 'header', marks, ignored = [] }: HeadersProps) {
  const isMarked = of.some(({ name }) => marks?.has(name.toLowerCase()))
  return (
    <details class="headers" open={isMarked || kind === 'parameter'}>
      <summary>
        {of.length} {kind}
        {of.length === 1 ? '' : 's'}
      </summary>
      <dl>
        {of.map(({ name, value }, index) => {
          const message = marks?.get(name.toLowerCase())
          return (
            <div key={index} class={message === undefined ? '' : 'marked'}>
              <dt>{name}</dt>
              <dd>
                {value}
                {message === undefined ? null : <span class="json-note">{message}</span>}
                {ignored.includes(name) ? <span class="tag tag-warn">ignored</span> : null}
              </dd>
            </div>
          )
        })}
      </dl>
    </details>
  )
}
