/**
 * Preloaded into a server with `--import`: keeps the processor time of the main thread in the longest iteration of the event loop. Any message
 * over the channel is answered with it, in milliseconds, and begins anew.
 */
let longest = 0
let last = spent()

function spent() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Runs once in each iteration. Being unreferenced, it lets an idle loop sleep. */
function look() {
  const now = spent()
  longest = Math.max(longest, now - last)
  last = now
  setImmediate(look).unref()
}

look()
process.on('message', () => {
  process.send?.(longest)
  longest = 0
})
process.channel?.unref()
