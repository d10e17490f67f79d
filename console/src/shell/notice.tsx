import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** What became of an action that was chosen in the palette. */
export const notice = signal<{ readonly text: string; readonly isRefusal: boolean } | undefined>(undefined)

const SHOWN = 6_000

export function Notice() {
  const now = notice.value
  useEffect(() => {
    if (now === undefined) return undefined
    const timer = setTimeout(() => (notice.value = undefined), SHOWN)
    return () => clearTimeout(timer)
  }, [now])
  return (
    <div class="notices" role={now?.isRefusal === true ? 'alert' : 'status'}>
      {now === undefined ? null : <p class={now.isRefusal ? 'notice error' : 'notice'}>{now.text}</p>}
    </div>
  )
}
