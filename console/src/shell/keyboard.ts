import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** The dialog that keys open from everywhere. */
export const openDialog = signal<'palette' | 'keys' | undefined>(undefined)

/** What j and k move between: rows, links and cards of the view. Those with the value `opens` are opened by moving while one is open. */
const ITEM = 'main [data-item]'
const SELECTED = '[aria-selected="true"], [aria-current="true"]'

/** The keys that work in every view, wherever the focus is outside of fields. The keys dialog lists them. */
export function useKeyboard(): void {
  useEffect(() => {
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
}

function handleKey(event: KeyboardEvent): void {
  const { target } = event
  if (event.defaultPrevented || event.altKey || !(target instanceof Element)) return
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    if (openDialog.value === undefined && document.querySelector('dialog[open]')) return
    event.preventDefault()
    openDialog.value = openDialog.value === 'palette' ? undefined : 'palette'
    return
  }
  if (event.ctrlKey || event.metaKey || isTyping(target)) return
  if (event.key === '?') openDialog.value = 'keys'
  else if (event.key === '/') document.querySelector<HTMLElement>('main input[type="search"]')?.focus()
  else if (!move(event.key, target)) return
  event.preventDefault()
}

/** Fields and open menus keep their keys. */
export function isTyping(target: Element): boolean {
  return target.closest('input:not([type="checkbox"], [type="radio"]), textarea, select, dialog, .menu[open]') !== null
}

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

/** Moves to the next item, or to the first in view. @returns whether the key is one that moves */
function move(key: string, target: Element): boolean {
  const step = STEPS[key]
  if (step === undefined) return false
  // Elsewhere the arrow keys scroll, or choose among radio buttons.
  const isFree = target === document.body || target.id === 'main' || target.closest('nav, [data-item]') !== null
  if (key.startsWith('Arrow') && !isFree) return false
  const items = [...document.querySelectorAll<HTMLElement>(ITEM)]
  const selected = items.findIndex((item) => item.matches(SELECTED))
  const focused = items.findIndex((item) => item.contains(document.activeElement))
  const current = focused === -1 ? selected : focused
  const next = current === -1 ? items.find(isInView) : items[current + step]
  if (!next) return true
  next.scrollIntoView({ block: 'nearest' })
  next.focus({ preventScroll: true })
  if (selected !== -1 && next.dataset.item === 'opens') next.click()
  return true
}

/** Whether an item is below the top of what it is scrolled in: long tables have rows above that. */
function isInView(item: HTMLElement): boolean {
  const list = item.closest('.rows-body, .pane-body')
  return item.getBoundingClientRect().top >= (list?.getBoundingClientRect().top ?? 0)
}

/** Focuses the item that is open once it is closed, also where a narrow page only then shows the list. */
export function focusSelected(close: () => void): void {
  const selected = document.querySelector<HTMLElement>(`${ITEM}:is(${SELECTED})`)
  close()
  selected?.focus()
  requestAnimationFrame(() => {
    // Who pressed another key meanwhile, as / for the filter, has the focus already.
    if (document.activeElement === document.body) selected?.focus()
  })
}
