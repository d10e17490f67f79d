import type { ComponentChildren } from 'preact'
import type { ExplainSearchRequest } from '../../../../src/control/client/types.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Failed } from '../../parts/failed.tsx'
import { useLoad } from '../../use-load.ts'

/** What the cursor of the next page holds. */
export function Cursor({ search, token }: { readonly search: ExplainSearchRequest; readonly token: string }) {
  const { value, error, reload } = useLoad((client) => client.explainSearch(search), [token], ['state'])
  if (error !== undefined) return <Failed error={error} retry={reload} />
  const cursor = value?.cursor
  if (cursor === undefined) return <p class="quiet files-callout">Decoding…</p>
  const { last, leadsTo, accepted, refusal, readable, issued, pages, entries, version, limit } = cursor
  return (
    <section class="callout callout-plain files-callout" aria-label="Cursor">
      <h3>The cursor of the next page</h3>
      {accepted ? null : <p class="error">The service would refuse it: {refusal}</p>}
      {readable ? null : <p>It was not made by this stand-in with its seed, so no more is known.</p>}
      <dl class="file-fields">
        <Fact name="after">{last === undefined ? undefined : (last.path ?? `${last.id} (deleted since)`)}</Fact>
        <Fact name="values">
          {last?.values.map(({ field, value: held }) => `${field} = ${String(held)}`).join(', ')}
        </Fact>
        <Fact name="leads to">
          {leadsTo === undefined ? undefined : (leadsTo?.path ?? 'nothing: the walk is over')}
        </Fact>
        <Fact name="so far">
          {pages === undefined
            ? undefined
            : `${pages} ${pages === 1 ? 'page' : 'pages'}, ${String(entries)} entries, ${String(limit)} on a page`}
        </Fact>
        <Fact name="file set">{version === undefined ? undefined : `version ${version} when the walk began`}</Fact>
        <Fact name="issued">{issued}</Fact>
        <Fact name="token">
          <code class="token">{token}</code> <CopyButton text={token} />
        </Fact>
      </dl>
    </section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children?: ComponentChildren }) {
  if (children === undefined) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
