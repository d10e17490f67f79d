import { useState } from 'preact/hooks'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { control, messageOf } from '../../session.ts'

/** Where webhooks go, and a field to change it. */
export function WebhookTarget({ target, reload }: { readonly target: string | null; readonly reload: () => void }) {
  const [url, setUrl] = useState(target ?? '')
  const [message, setMessage] = useState<string>()
  const save = (event: Event) => {
    event.preventDefault()
    setMessage(undefined)
    control.value
      .setWebhookTarget({ url: url.trim() === '' ? null : url.trim() })
      .then(reload, (error: unknown) => setMessage(messageOf(error)))
  }
  return (
    <form class="toolbar webhook-target" noValidate onSubmit={save}>
      <label class="quiet" for="webhook-target">
        Send to
      </label>
      <input
        id="webhook-target"
        type="url"
        placeholder="nowhere: such as http://127.0.0.1:3000/hooks"
        value={url}
        onInput={(event) => setUrl(event.currentTarget.value)}
      />
      {url === (target ?? '') ? null : <button>Save</button>}
      <ErrorMessage text={message} />
    </form>
  )
}
