// Runs first in the pages of the console and the API docs, which are frames of the playground: its stand-in answers their requests, and
// the playground follows their links.
if (window.parent === window) location.replace('../')
const { playground } = window.parent
const folder = location.pathname.replace(/__mock\/.*$/, '')

document.documentElement.dataset.playground = ''

/** The path on the stand-in. */
const pathOf = ({ pathname, search }) =>
  `/${pathname.startsWith(folder) ? pathname.slice(folder.length) : pathname.slice(1)}${search}`

// Light or dark as the playground, where a reader chose. The API docs follow the system by a class.
const { colorScheme } = window.parent.document.documentElement.style
if (colorScheme) {
  document.documentElement.style.colorScheme = colorScheme
  addEventListener('DOMContentLoaded', () =>
    document.documentElement.classList.toggle('dark-mode', colorScheme === 'dark'),
  )
}

window.fetch = async (input, init) => {
  const request = new Request(input, init)
  const body = ['GET', 'HEAD'].includes(request.method) ? null : await request.arrayBuffer()
  const { method, signal } = request
  return playground.fetch(pathOf(new URL(request.url)), { method, headers: [...request.headers], body, signal })
}

addEventListener(
  'click',
  (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null
    if (!link || link.hasAttribute('download')) return
    const to = new URL(link.href)
    if (to.pathname === location.pathname && to.origin === location.origin) return
    if (to.origin !== location.origin || !to.pathname.startsWith(folder)) {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
      return
    }
    event.preventDefault()
    playground.open(pathOf(to))
  },
  true,
)
