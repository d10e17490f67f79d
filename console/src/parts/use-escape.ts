import { useEffect } from 'preact/hooks'

/** Calls a function at Escape, outside of fields and open menus. */
export function useEscape(isOn: boolean, act: () => void): void {
  useEffect(() => {
    if (!isOn) return undefined
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !(event.target instanceof Element)) return
      if (event.target.closest('input, textarea, select, details[open], dialog')) return
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn, act])
}
