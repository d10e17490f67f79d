import { lineOf, showLine } from './editor.tsx'
import { complaints, isLoading, served } from './session.ts'

/** What `standin check` says of the document. */
export function Check() {
  if (isLoading.value)
    return (
      <div class="check" role="status">
        Loading the engine…
      </div>
    )
  const lines = served.value?.check ?? []
  const notes = served.value?.notes ?? []
  if (complaints.value.length > 0)
    return (
      <div class="check check-wrong" role="status">
        <p class="verdict">
          {served.value ? 'The document is refused. The API of the previous one goes on.' : 'The document is refused.'}
        </p>
        <Messages of={complaints.value} />
      </div>
    )
  return (
    <div class={notes.length > 0 ? 'check check-noted' : 'check check-good'} role="status">
      <p class="verdict">{lines.at(-1)}</p>
      <Messages of={notes} />
      <details>
        <summary>What each operation was taken for</summary>
        <pre tabIndex={0}>{lines.slice(0, -1 - notes.length).join('\n')}</pre>
      </details>
    </div>
  )
}

function Messages({ of: messages }: { readonly of: readonly string[] }) {
  return (
    <ul>
      {messages.map((message) => {
        const line = lineOf(message)
        if (line === undefined) return <li key={message}>{message}</li>
        const [place = ''] = /^\S+?:\d+/.exec(message) ?? []
        return (
          <li key={message}>
            <button class="place" onClick={() => showLine(line)}>
              {place}
            </button>
            {message.slice(place.length)}
          </li>
        )
      })}
    </ul>
  )
}
