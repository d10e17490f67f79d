import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { ControlClient } from '../../src/control/client/client.ts'
import type { Topic } from './live.ts'
import { control, messageOf } from './session.ts'
import { useReloadOn } from './use-reload-on.ts'

export interface Loaded<T> {
  /** The last value, also while a new one is loaded. */
  readonly value: T | undefined
  /** Why the last load failed. */
  readonly error: string | undefined
  readonly isLoading: boolean
  reload(): void
}

/**
 * Loads from the control API of the sandbox that is shown: at first, when an input changes, and when an event of one of the topics
 * arrives.
 *
 * @param inputs what `load` depends on besides the sandbox
 */
export function useLoad<T>(
  load: (client: ControlClient) => Promise<T>,
  inputs: readonly unknown[] = [],
  topics: readonly Topic[] = [],
): Loaded<T> {
  const client = control.value
  const [state, setState] = useState<{ value?: T; error?: string; isLoading: boolean }>({ isLoading: true })
  const run = useRef(0)
  const reload = useCallback(() => {
    const mine = ++run.current
    setState((held) => ({ ...held, isLoading: true }))
    load(client).then(
      (value) => mine === run.current && setState({ value, isLoading: false }),
      (error: unknown) =>
        mine === run.current && setState((held) => ({ ...held, error: messageOf(error), isLoading: false })),
    )
  }, [client, ...inputs])
  useEffect(() => {
    reload()
    return () => {
      run.current++
    }
  }, [reload])
  useReloadOn(topics, reload)
  return { value: state.value, error: state.error, isLoading: state.isLoading, reload }
}
