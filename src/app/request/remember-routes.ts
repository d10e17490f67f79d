import type { Route, Router } from '../../contract/router.ts'
import { createCache } from '../../engine/cache.ts'

/** Clients call the same few paths again and again; those that were called lately need not be taken apart anew. */
const MOST_ROUTES = 2000
/** Longer paths are not worth the room. */
const LONGEST_PATH = 200

/** The same router, with a memory of exact paths. */
export function rememberRoutes(router: Router): Router {
  const recent = createCache<string, Route>({ most: MOST_ROUTES })
  return {
    route(method, path, rule, sent) {
      if (rule !== 'strict' || path.length > LONGEST_PATH) return router.route(method, path, rule, sent)
      const key = `${method} ${path}`
      const known = recent.get(key)
      if (known) return known
      const route = router.route(method, path, rule, sent)
      if (route.kind === 'operation' && !route.isConditional) recent.set(key, route)
      return route
    },
  }
}
