import { useLayoutEffect } from 'preact/hooks'

interface Keys {
  /** The exchanges that are listed, from the top. */
  readonly ids: readonly number[]
  readonly selected: number | undefined
  readonly open: (id: number) => void
  readonly close: () => void
}

/** j and k open the next and the previous exchange, Escape closes the one that is open, wherever the focus is outside of fields. */
export function useKeys(keys: Keys): void {
  useLayoutEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const index = keys.selected === undefined ? -1 : keys.ids.indexOf(keys.selected)
      if (event.key === 'Escape' && keys.selected !== undefined) {
        keys.close()
        const focusRow = () => document.querySelector<HTMLElement>(`.row[data-index="${index}"]`)?.focus()
        focusRow()
        // On a narrow page the list is only drawn once the detail is gone.
        requestAnimationFrame(focusRow)
      }
      const next = event.key === 'j' ? index + 1 : event.key === 'k' ? index - 1 : undefined
      const id = next === undefined ? undefined : keys.ids[next]
      if (id !== undefined) keys.open(id)
    }
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog, .menu') !== null
}
