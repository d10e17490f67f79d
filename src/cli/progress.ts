/** Milliseconds; shorter work shows nothing. */
const REDRAW = 200
const LINE_EVERY = 5000
const WIDTH = 24

interface ProgressStage {
  /** From 0 to 1; undefined while the total is unknown. */
  readonly share: number | undefined
  readonly text: string
}

/** Shows progress on standard error: a bar on a terminal, elsewhere a line now and then. */
export function showProgress(look: () => ProgressStage): { end(): void } {
  const stream = process.stderr
  const isTerminal = stream.isTTY
  const show = () => {
    const { share, text } = look()
    if (!isTerminal) return stream.write(`${text}\n`)
    const filled = share === undefined ? 0 : Math.floor(share * WIDTH)
    const bar = share === undefined ? '' : `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] `
    return stream.write(`\r\u001b[K${bar}${text}`.slice(0, Math.max(20, stream.columns + '\r\u001b[K'.length - 1)))
  }
  const timer = setInterval(show, isTerminal ? REDRAW : LINE_EVERY)
  return {
    end() {
      clearInterval(timer)
      if (isTerminal) stream.write('\r\u001b[K')
    },
  }
}
