/** The load generator, a process of its own that is told what to do: options of autocannon come in, its counts go out. */
import { createRequire } from 'node:module'

const autocannon = createRequire(new URL('../../.peers/package.json', import.meta.url))('autocannon')

process.on('message', async (options) => {
  try {
    const { duration, errors, timeouts, non2xx, requests, latency, ...result } = await autocannon(options)
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
    })
  } catch (error) {
    process.send({ failure: error.message })
  }
})
// When the bench is gone, nobody is left to load for.
process.on('disconnect', () => process.exit())
