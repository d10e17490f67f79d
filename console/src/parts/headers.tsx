import type { ExchangeRecord } from '../../../src/control/client/types.ts'

export function Headers({ of }: { readonly of: ExchangeRecord['request']['headers'] }) {
  return (
    <details class="headers">
      <summary>
        {of.length} {of.length === 1 ? 'header' : 'headers'}
      </summary>
      <dl>
        {of.map(({ name, value }, index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
