import { useEffect, useRef } from 'preact/hooks'
import { hasToken, isTokenNeeded, saveToken } from '../session.ts'

/** Asks for the token where the stand-in was started with one. */
export function TokenDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isTokenNeeded.value) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isTokenNeeded.value])
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="token-title" onClose={() => (isTokenNeeded.value = false)}>
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
        <button class="primary">Continue</button>
      </form>
    </dialog>
  )
}
