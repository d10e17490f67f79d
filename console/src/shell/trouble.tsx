import { isTokenNeeded, trouble } from '../session.ts'

/** Why the console can show nothing, said once, and what to do about it. */
export function Trouble() {
  const now = trouble.value
  if (!now) return null
  return (
    <section class="trouble" role="alert" aria-label={now.title}>
      <h2>{now.title}</h2>
      <p>{now.message}</p>
      <p>{now.remedy}</p>
      {now.needsToken ? <button onClick={() => (isTokenNeeded.value = true)}>Enter the token</button> : null}
    </section>
  )
}
