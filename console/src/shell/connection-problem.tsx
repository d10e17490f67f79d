import { isTokenNeeded, connectionProblem } from '../session.ts'

/** Shows once why the console has nothing to show, and what to do. */
export function ConnectionProblem() {
  const now = connectionProblem.value
  if (!now) return null
  return (
    <section class="connection-problem" role="alert" aria-label={now.title}>
      <h2>{now.title}</h2>
      <p>{now.message}</p>
      <p>{now.remedy}</p>
      {now.needsToken ? <button onClick={() => (isTokenNeeded.value = true)}>Enter the token</button> : null}
    </section>
  )
}
