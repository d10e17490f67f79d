/**
 * Positions in a list that is higher than browsers draw an element (about 16 million pixels). The element gets at most `MAX_HEIGHT`; short
 * ways are scrolled pixel by pixel, and long ones, by dragging the scroll bar, in proportion.
 */
export interface Scroll {
  /** `scrollTop` of the element. */
  readonly top: number
  /** How much further down the list is than the element. */
  readonly shift: number
}

export interface ScrollSizes {
  /** The height of the whole list. */
  readonly total: number
  /** The height of the part in view. */
  readonly viewport: number
}

const MAX_HEIGHT = 8_000_000

/** The height to give the element. */
export function heightOf(total: number): number {
  return Math.min(total, MAX_HEIGHT)
}

/** After the element was scrolled to `top`. */
export function scrolled(before: Scroll, top: number, sizes: ScrollSizes): Scroll {
  const isShort = Math.abs(top - before.top) <= sizes.viewport
  const shift = isShort ? before.shift : top * (ratioOf(sizes) - 1)
  return { top, shift }
}

/** The same position in the list with the element scrolled in proportion, so that both come to their ends together. */
export function settled({ top, shift }: Scroll, sizes: ScrollSizes): Scroll {
  return scrollTo(top + shift, sizes)
}

/** At another position in the list: by the same way in the element where it is short. */
export function reached(before: Scroll, position: number, sizes: ScrollSizes): Scroll {
  const way = position - before.top - before.shift
  const moved = { top: before.top + way, shift: before.shift }
  const isInside = moved.top >= 0 && moved.top <= heightOf(sizes.total) - sizes.viewport
  return Math.abs(way) <= sizes.viewport && isInside ? moved : scrollTo(position, sizes)
}

/** A position in the list. */
function scrollTo(position: number, sizes: ScrollSizes): Scroll {
  const inside = Math.max(0, Math.min(position, sizes.total - sizes.viewport))
  const top = Math.round(inside / ratioOf(sizes))
  return { top, shift: inside - top }
}

/** Whether the element is at an end and the list is not, so that it could not be scrolled on. */
export function isStuck({ top, shift }: Scroll, sizes: ScrollSizes): boolean {
  const range = heightOf(sizes.total) - sizes.viewport
  return (top <= 0 && shift > 0) || (top >= range && top + shift < sizes.total - sizes.viewport)
}

function ratioOf({ total, viewport }: ScrollSizes): number {
  const range = heightOf(total) - viewport
  return range <= 0 ? 1 : (total - viewport) / range
}
