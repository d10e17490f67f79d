/** The load generator, a process of its own that is told what to do: options of autocannon come in, its counts go out. */
import { createRequire } from 'node:module'

const autocannon = createRequire(new URL('../../.peers/package.json', import.meta.url))('autocannon')

process.on('message', async ({ bodies, paths, firstMoment, ...options }) => {
  const { method, headers, body } = options
  try {
    const { duration, errors, timeouts, non2xx, requests, latency, ...result } = await autocannon({
      ...options,
      ...(bodies ? { requests: inTurn(bodies, firstMoment, options) } : {}),
      ...(paths ? { requests: paths.map((path) => ({ method, headers, body, path })) } : {}),
    })
    const answered = result['2xx']
    process.send({
      duration,
      answered,
      errors,
      timeouts,
      non2xx,
      sent: requests.sent,
      p50: latency.p50,
      p99: latency.p99,
      p999: latency.p99_9,
    })
  } catch (error) {
    process.send({ failure: error.message })
  }
})

/** The same request with one body after the other; a moment that shall be new is another one in each. */
function inTurn(bodies, firstMoment, { method, headers, url }) {
  const { pathname, search } = new URL(url)
  let moment = firstMoment
  return bodies.map((body) => ({
    method,
    headers,
    path: pathname + search,
    body,
    ...(body.includes('@NEW-MOMENT@')
      ? {
          setupRequest: (request) => ({
            ...request,
            body: body.replace('@NEW-MOMENT@', new Date(moment++).toISOString()),
          }),
        }
      : {}),
  }))
}

// When the bench is gone, nobody is left to load for.
process.on('disconnect', () => process.exit())
