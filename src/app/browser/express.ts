import type { IncomingMessage, ServerResponse } from 'node:http'
import Router from 'router'

/** Express without what a page has no use for: Express's own router, and `response.locals`. */
export default function express() {
  const router = Router({ caseSensitive: true })
  const handle = (request: IncomingMessage, response: ServerResponse & { locals?: object }) => {
    response.locals = {}
    router(request, response, () => response.destroy())
  }
  const app = Object.assign(handle, {
    disable: () => app,
    enable: () => app,
    use(...given: Parameters<typeof router.use>) {
      router.use(...given)
      return app
    },
    route: router.route.bind(router),
  })
  return app
}

export { Router }
