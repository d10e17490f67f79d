import { useEffect } from 'preact/hooks'
import { listen, type Topic } from './live.ts'

/** Milliseconds between reloads that events cause. */
const PAUSE = 300

/** Reloads when an event of one of the topics arrives, or when events were missed. */
export function useReloadOn(topics: readonly Topic[], reload: () => void): void {
  const wanted = topics.join()
  useEffect(() => {
    if (wanted === '') return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = listen(({ event }) => {
      if (!wanted.split(',').includes(event) && event !== 'gap') return
      timer ??= setTimeout(() => {
        timer = undefined
        reload()
      }, PAUSE)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [reload, wanted])
}
