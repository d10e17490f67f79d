import { useLayoutEffect } from 'preact/hooks'
import { focusSelected, isTyping } from '../shell/keyboard.ts'

/** Closes what is open at Escape, outside of fields and open menus, and goes back to its row. */
export function useEscape(isOn: boolean, act: () => void): void {
  // With the rendering: what can be seen can be closed.
  useLayoutEffect(() => {
    if (!isOn) return undefined
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !(event.target instanceof Element)) return
      if (!isTyping(event.target)) focusSelected(act)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn, act])
}
