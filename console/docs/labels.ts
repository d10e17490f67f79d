/** What Swagger UI leaves without a name, and what it should be called. */
const NAMES: readonly (readonly [string, string])[] = [
  ['#servers', 'Server'],
  ['.examples-select-element', 'Example'],
  ['.content-type', 'Media type'],
  ['textarea.body-param__text', 'Body'],
  ['.operation-filter-input', 'Filter by tag or path'],
]

/** Names the fields of the docs for screen readers, and lets the keyboard scroll what is wider than its place. */
export function keepLabelled(place: HTMLElement): void {
  const label = () => {
    for (const [selector, name] of NAMES)
      for (const field of place.querySelectorAll(`:is(${selector}):not([aria-label])`))
        field.setAttribute('aria-label', name)
    for (const code of place.querySelectorAll<HTMLElement>('pre:not([tabindex])')) code.tabIndex = 0
  }
  new MutationObserver(label).observe(place, { childList: true, subtree: true })
}
