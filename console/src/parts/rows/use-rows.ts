import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useRef } from 'preact/compat'
import { heightOf, isStuck, reached, type Scroll, scrolled, settled } from './scaled-scroll.ts'

/** The height of a row. */
export const ROW = 34

/** The height of the column titles, which stay at the top of what is scrolled. */
export const HEAD = 30

/** Milliseconds after the last scroll event. */
const IDLE = 150

/** The rows in view of a list of any length, and where they are drawn in the scrolled element. */
export function useRows(scroller: RefObject<HTMLElement>, count: number, keyOf: (index: number) => string | number) {
  const scroll = useRef<Scroll>({ top: 0, shift: 0 })
  const total = useRef(0)
  total.current = count * ROW
  const sizesOf = (element: HTMLElement) => ({ total: total.current, viewport: element.clientHeight - HEAD })
  const place = (element: HTMLElement, next: Scroll) => {
    const position = next.top + next.shift
    element.scrollTop = next.top
    // Browsers round it.
    scroll.current = { top: element.scrollTop, shift: position - element.scrollTop }
  }
  const rows = useVirtualizer<HTMLElement, HTMLElement>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
    getItemKey: keyOf,
    observeElementOffset: (virtualizer, report) =>
      follow(virtualizer, (element, isScrolling) => {
        const sizes = sizesOf(element)
        scroll.current = scrolled(scroll.current, element.scrollTop, sizes)
        if (sizes.total > heightOf(sizes.total) && (!isScrolling || isStuck(scroll.current, sizes)))
          place(element, settled(scroll.current, sizes))
        report(scroll.current.top + scroll.current.shift, isScrolling)
      }),
  })
  return {
    height: heightOf(total.current),
    items: rows.getVirtualItems().map(({ index, key, start }) => ({ index, key, top: start - scroll.current.shift })),
    /** Scrolls no further than it takes to see the row. */
    show(index: number) {
      const element = scroller.current
      if (!element) return
      const sizes = sizesOf(element)
      const position = scroll.current.top + scroll.current.shift
      const least = (index + 1) * ROW - sizes.viewport
      const next = Math.max(least, Math.min(position, index * ROW))
      if (next === position) return
      place(element, reached(scroll.current, next, sizes))
    },
  }
}

/** Calls a function at first, on each scroll event, and once more when no other follows. */
function follow(
  { scrollElement }: Virtualizer<HTMLElement, HTMLElement>,
  heed: (element: HTMLElement, isScrolling: boolean) => void,
): () => void {
  if (!scrollElement) return () => undefined
  const element = scrollElement
  let timer: ReturnType<typeof setTimeout> | undefined
  const onScroll = () => {
    heed(element, true)
    clearTimeout(timer)
    timer = setTimeout(() => heed(element, false), IDLE)
  }
  element.addEventListener('scroll', onScroll, { passive: true })
  heed(element, false)
  return () => {
    clearTimeout(timer)
    element.removeEventListener('scroll', onScroll)
  }
}
