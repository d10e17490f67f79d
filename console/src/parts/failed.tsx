import { connectionProblem } from '../session.ts'

/** An error of the control API, with a way to try again; nothing while no read succeeds, which is said once for all views. */
export function Failed({ error, retry }: { readonly error: string; readonly retry?: () => void }) {
  if (connectionProblem.value) return null
  return (
    <p class="error" role="alert">
      {error} {retry ? <button onClick={retry}>Try again</button> : null}
    </p>
  )
}
