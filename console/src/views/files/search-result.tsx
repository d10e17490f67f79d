import { useState } from 'preact/hooks'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Status } from '../../parts/status.tsx'
import { VirtualRows } from '../../parts/rows/virtual-rows.tsx'
import { useLoad } from '../../use-load.ts'
import { asCurl } from '../../../../src/control/client/request-code.ts'
import { Cursor } from './cursor.tsx'
import { cellsOf, COLUMNS, keyOfRow, NARROW, WIDTHS } from './entry-cells.tsx'
import { explainedRequest, httpRequestOf, type SearchTarget } from './search-request.ts'
import { WhyMissing } from './why-missing.tsx'
import type { Walk } from './send-search.ts'

interface SearchResultProps {
  readonly walk: Walk
  readonly target: SearchTarget
  readonly isSending: boolean
  readonly selected: string | undefined
  readonly open: (fileId: string) => void
  readonly show: (page: number) => void
  readonly fetchNext: () => void
  /** Sends the request of the page that is shown again. */
  readonly retry: () => void
}

/** The pages of a search: the entries of one, and what leads to the next. */
export function SearchResult(props: SearchResultProps) {
  const { walk, selected, open } = props
  const page = walk.pages[walk.at]
  const [aside, setAside] = useState<'cursor' | 'missing'>()
  if (!page) return null
  return (
    <>
      <Pages {...props} aside={aside} setAside={setAside} />
      {page.refusals.length === 0 ? null : (
        <div class="callout callout-bad files-callout" role="alert">
          <h3>The search failed</h3>
          <ul>
            {page.refusals.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
          <button onClick={props.retry} disabled={props.isSending}>
            Send it again
          </button>
        </div>
      )}
      {aside === 'cursor' && page.next !== undefined ? (
        <Cursor search={explainedRequest(props.target.fileSetId, walk.request, page.next)} token={page.next} />
      ) : null}
      {aside === 'missing' ? (
        <WhyMissing
          key={JSON.stringify(walk.request)}
          search={explainedRequest(props.target.fileSetId, walk.request)}
        />
      ) : null}
      {page.entries.length === 0 ? (
        page.refusals.length === 0 && (
          <Empty title="Nothing was found">
            <p>“Why is a file missing?” says which condition keeps it out.</p>
          </Empty>
        )
      ) : (
        <VirtualRows
          key={walk.at}
          label="Result"
          columns={COLUMNS}
          widths={WIDTHS}
          narrow={NARROW}
          count={page.entries.length}
          keyOf={keyOfRow}
          onOpen={(index) => {
            const id = page.entries[index]?.id
            if (id !== undefined) open(id)
          }}
          isSelected={(index) => selected !== undefined && page.entries[index]?.id === selected}
        >
          {(index) => cellsOf(page.entries[index], undefined)}
        </VirtualRows>
      )}
    </>
  )
}

interface PagesProps extends SearchResultProps {
  readonly aside: 'cursor' | 'missing' | undefined
  readonly setAside: (aside: 'cursor' | 'missing' | undefined) => void
}

function Pages({ walk, target, isSending, show, fetchNext, aside, setAside }: PagesProps) {
  const { request, pages, at } = walk
  const page = pages[at]
  const { value } = useLoad(
    (client) => client.explainSearch(explainedRequest(target.fileSetId, request)).catch(() => undefined),
    [request, target.fileSetId],
  )
  const hasNext = at + 1 < pages.length || page?.next !== undefined
  const curl = () => {
    const { url, headers, body } = httpRequestOf(request, target, at === 0 ? undefined : pages[at - 1]?.next)
    const list = Object.entries(headers).map(([name, text]) => ({ name, value: text }))
    return asCurl({ method: 'POST', url, headers: list, body, isCut: false }, '', target.apiKey)
  }
  const toggle = (name: 'cursor' | 'missing') => setAside(aside === name ? undefined : name)
  return (
    <div class="files-place">
      <Status status={page?.status} />
      <span>
        Page {at + 1}
        {value === undefined ? '' : ` of ${Math.max(value.pages, 1).toLocaleString('en')}`}
        {value === undefined ? null : (
          <span class="quiet">
            {' '}
            · {value.total.toLocaleString('en')} {value.total === 1 ? 'entry' : 'entries'} in all
          </span>
        )}
      </span>
      <span class="toolbar-rest" />
      <div class="choices" role="group" aria-label="Pages">
        <button disabled={at === 0} onClick={() => show(at - 1)}>
          Previous
        </button>
        <button disabled={!hasNext || isSending} onClick={() => (at + 1 < pages.length ? show(at + 1) : fetchNext())}>
          Next page
        </button>
      </div>
      <button aria-expanded={aside === 'cursor'} disabled={page?.next === undefined} onClick={() => toggle('cursor')}>
        Cursor
      </button>
      <button aria-expanded={aside === 'missing'} onClick={() => toggle('missing')}>
        Why is a file missing?
      </button>
      <CopyButton text={curl} label="Copy as curl" />
      <CopyButton text={() => httpRequestOf(request, target).body} label="Copy body" />
    </div>
  )
}
