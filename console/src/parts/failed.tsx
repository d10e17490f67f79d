/** An error of the control API, with a way to try again. */
export function Failed({ error, retry }: { readonly error: string; readonly retry?: () => void }) {
  return (
    <p class="error" role="alert">
      {error} {retry ? <button onClick={retry}>Try again</button> : null}
    </p>
  )
}
