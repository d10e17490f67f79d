import { connectionProblem } from '../session.ts'

/** An error of the control API with a button to try again. Nothing during a connection problem, which is shown once for all views. */
export function Failed({ error, retry }: { readonly error: string; readonly retry?: () => void }) {
  if (connectionProblem.value) return null
  return (
    <p class="error" role="alert">
      {error} {retry ? <button onClick={retry}>Try again</button> : null}
    </p>
  )
}
