// Evaluated in a page by layout-problems.ts.
function findInPage() {
  const problems = []
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) problems.push(`the page scrolls sideways: ${scrollWidth} > ${clientWidth} px`)
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const owner = text.parentElement
    if (!owner || text.textContent?.trim() === '' || !owner.checkVisibility({ visibilityProperty: true })) continue
    if (owner.closest('.skip-link, option, noscript')) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const bounds = range.getBoundingClientRect()
    if (bounds.width === 0) continue
    const cut = cutBy(owner, bounds)
    if (cut !== undefined) problems.push(`${cut}: “${text.textContent?.trim().slice(0, 60) ?? ''}”`)
  }
  return [...new Set(problems)]

  /** Where a text leaves the nearest element that hides what is outside; undefined if it can be read or scrolled to. */
  function cutBy(owner, { right, bottom }) {
    for (let around = owner; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around)
      // `clip-path` hides what is for screen readers only.
      if (style.position === 'fixed' || style.clipPath !== 'none') return undefined
      const box = around.getBoundingClientRect()
      const isHidden = (overflow) => overflow === 'hidden' || overflow === 'clip'
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) return undefined
      if (isHidden(style.overflowX) && right > box.right + 1 && style.textOverflow !== 'ellipsis')
        return `cut off at the right by <${around.tagName.toLowerCase()} class="${around.className}">`
      if (isHidden(style.overflowX) && right > box.right + 1) return undefined
      if (isHidden(style.overflowY) && bottom > box.bottom + 2)
        return `cut off below by <${around.tagName.toLowerCase()} class="${around.className}">`
    }
    return undefined
  }
}

findInPage()
