import type { createStandin, StartupError } from '../../src/index.ts'
import type { handlersOf } from '../../src/testing/msw.ts'

/** The library and `standin/msw` as bundlers for browsers import them. They need nothing of Node, so they also run here. */
const load = (name: string) => import(new URL(`../../dist/browser/${name}.js`, import.meta.url).href)

export const page = {
  ...((await load('standin')) as { createStandin: typeof createStandin; StartupError: typeof StartupError }),
  ...((await load('msw')) as { handlersOf: typeof handlersOf }),
}
