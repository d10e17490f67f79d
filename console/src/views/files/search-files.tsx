import { useState } from 'preact/hooks'
import type { InfoOperation } from '../../../../src/control/client/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { apiKey, sandboxName, SERVICE_URL } from '../../session.ts'
import { SearchFields } from './search-fields.tsx'
import { EMPTY_FORM, requestOf, type SearchForm, type SearchRequest, type SearchTarget } from './search-request.ts'
import { SearchResult } from './search-result.tsx'
import { type Page, sendSearch, type Walk } from './send-search.ts'

interface SearchFilesProps {
  readonly operation: InfoOperation | undefined
  readonly fileSetId: string
  /** Where the table stands: a search begins there. */
  readonly directory: string | undefined
  readonly isShown: boolean
  readonly selected: string | undefined
  readonly open: (fileId: string) => void
}

/** The search of the API: a form, and the result page by page, as the service itself responds. */
export function SearchFiles({ operation, fileSetId, directory, isShown, selected, open }: SearchFilesProps) {
  const [form, setForm] = useState<SearchForm>()
  const [walk, setWalk] = useState<Walk>()
  const [failure, setFailure] = useState<string>()
  const [isSending, setSending] = useState(false)
  if (!isShown) return null
  if (operation === undefined) return <Empty title="No operation of this contract searches file sets" />
  const shown = form ?? { ...EMPTY_FORM, directoryPath: directory ?? '' }
  const target: SearchTarget = {
    operation,
    serviceUrl: SERVICE_URL,
    fileSetId,
    apiKey: apiKey.value,
    sandbox: sandboxName.value,
  }
  const send = async (request: SearchRequest, earlier: readonly Page[]) => {
    setSending(true)
    setFailure(undefined)
    try {
      const page = await sendSearch(request, target, earlier.at(-1)?.next)
      setWalk({ request, pages: [...earlier, page], at: earlier.length })
    } catch (error) {
      setFailure(`The connection broke: ${String(error)}. Was a fault armed?`)
    } finally {
      setSending(false)
    }
  }
  return (
    <div class="files-body">
      <SearchFields
        form={shown}
        change={setForm}
        submit={() => void send(requestOf(shown), [])}
        needsKey={Object.keys(operation.keyHeaders).length > 0}
        isSending={isSending}
      />
      <div class="files-table">
        {failure === undefined ? null : (
          <p class="error files-place" role="alert">
            {failure}
          </p>
        )}
        {walk === undefined ? (
          <Empty title="Search as your app does">
            <p>
              The request goes to the service itself, with its cursors and its faults. It appears under Requests too.
            </p>
          </Empty>
        ) : (
          <SearchResult
            {...{ walk, target, selected, open, isSending }}
            show={(at) => setWalk({ ...walk, at })}
            fetchNext={() => void send(walk.request, walk.pages)}
            retry={() => void send(walk.request, walk.pages.slice(0, walk.at))}
          />
        )}
      </div>
    </div>
  )
}
