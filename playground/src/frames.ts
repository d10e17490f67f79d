import { asked, served, type Tab, tab } from './session.ts'

/** What the pages of the console and the API docs use, which are frames of this page: see `frame.js`. */
interface Playground {
  /** Like `fetch`, answered by the stand-in of this tab. */
  fetch(path: string, init: RequestInit): Promise<Response>
  /** Follows a link to another page of a stand-in. @param path from its root, such as `/openapi.yaml` */
  open(path: string): void
}

declare global {
  interface Window {
    playground: Playground
  }
}

const TABS: Readonly<Record<string, Tab>> = { '/__mock/': 'console', '/__mock/docs': 'docs' }

export function serveFrames(): void {
  window.playground = {
    fetch(path, init) {
      if (!served.value) return Promise.reject(new TypeError('No document is served.'))
      return served.value.standin.fetch(path, init)
    },
    open(path) {
      const [, guide] = /^\/__mock\/guide\/([\w-]+)\.md/.exec(path) ?? []
      if (guide !== undefined) window.open(`../${guide}.html`, '_blank', 'noopener')
      else if (!TABS[path]) asked.value = { method: 'GET', path, headers: {}, body: '' }
      if (guide === undefined) tab.value = TABS[path] ?? 'try'
    },
  }
}
