import { useEffect, useRef } from 'preact/hooks'
import { dismissToken, hasToken, isTokenNeeded, saveToken } from '../session.ts'

/** What the dialog was closed with by the page; Escape closes it with nothing. */
const DONE = 'done'

/** Asks for the token where the stand-in was started with one. */
export function TokenDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    if (!current) return
    current.returnValue = ''
    if (isTokenNeeded.value) current.showModal()
    else current.close(DONE)
  }, [isTokenNeeded.value])
  // The event comes late: the dialog may be open again.
  const onClose = () => {
    if (dialog.current?.open === false && dialog.current.returnValue !== DONE) dismissToken()
  }
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="token-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const given = new FormData(event.currentTarget).get('token')
          if (typeof given === 'string' && given !== '') saveToken(given)
        }}
      >
        <h2 id="token-title">A token is needed</h2>
        {hasToken.value ? (
          <p class="error" role="alert">
            The token is wrong. Enter the one that follows --control-token where the stand-in was started.
          </p>
        ) : null}
        <p>
          This stand-in was started with <code>--control-token</code>. The console keeps the token until you close the
          tab.
        </p>
        <label class="field">
          <span>Token</span>
          <input name="token" type="password" autocomplete="off" required />
        </label>
        <div class="buttons">
          <button class="primary">Continue</button>
          <button type="button" onClick={dismissToken}>
            Not now
          </button>
        </div>
      </form>
    </dialog>
  )
}
