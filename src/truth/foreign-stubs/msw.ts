import { setTimeout as pause } from 'node:timers/promises'
import { asObject, isObject, type Members } from '../../base/formats/json.ts'
import { bodyOf, type ForeignStub, type ForeignStubs, NoEqual, readHeaders, segmentsOf } from './foreign-stub.ts'

/** A handler of MSW, as `http.get` makes it. */
interface MswHandler {
  readonly info: { readonly method: unknown; readonly path: unknown }
  run(args: MswRequest): Promise<{ readonly response?: Response } | null>
}

interface MswRequest {
  readonly request: Request
  readonly requestId: string
  /** What relative paths are of. */
  readonly resolutionContext: { readonly baseUrl: string }
}

/** The handlers that a module exports, in lists or by themselves. */
export function handlersIn(module: Members): readonly MswHandler[] {
  return [
    ...new Set(
      Object.values(module).flatMap((exported): readonly unknown[] =>
        Array.isArray(exported) ? exported : [exported],
      ),
    ),
  ].filter(isHandler)
}

function isHandler(value: unknown): value is MswHandler {
  const { info, run } = Object(value) as { readonly info?: unknown; readonly run?: unknown }
  return isObject(info) && info.path !== undefined && typeof run === 'function'
}

const ORIGIN = 'http://localhost'

/** Milliseconds that a handler has for its response. */
const PATIENCE = 5000

/**
 * Asks each handler once, with its path and an empty JSON body, and declares what it responds: what depends on the request is as that
 * request had it.
 */
export async function readMsw(handlers: readonly MswHandler[]): Promise<ForeignStubs> {
  const stubs: ForeignStub[] = []
  const leftOut: string[] = []
  for (const handler of handlers) {
    const { method, path } = handler.info
    const name = `${String(method)} ${String(path)}`
    try {
      stubs.push(await ask(handler))
    } catch (error) {
      leftOut.push(`${name}: ${error instanceof NoEqual ? error.message : `its resolver failed: ${String(error)}`}`)
    }
  }
  return { stubs, leftOut }
}

async function ask(handler: MswHandler): Promise<ForeignStub> {
  const { method, path: pattern } = handler.info
  if (typeof pattern !== 'string') throw new NoEqual('its path is a regular expression')
  const isAny = typeof method !== 'string'
  const verb = isAny ? 'GET' : method
  const target = pattern.replace(/^\*/, ORIGIN).replace(/\?.*$/, '')
  const url = target.startsWith('/') ? ORIGIN + target : target
  const path = segmentsOf(url.replace(/^[a-z]+:\/\/[^/]*/i, ''))
  const hasBody = !['GET', 'HEAD'].includes(verb)
  const request = new Request(url.replaceAll(/:\w+(?=\/|$)/g, '1'), {
    method: verb,
    ...(hasBody ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}),
  })
  const late = pause(PATIENCE, 'late' as const, { ref: false })
  const result = await Promise.race([
    handler.run({ request, requestId: 'import', resolutionContext: { baseUrl: ORIGIN } }),
    late,
  ])
  if (result === 'late') throw new NoEqual(`it does not respond within ${PATIENCE / 1000} s`)
  const { response } = asObject(result) as { readonly response?: Response }
  if (!response) throw new NoEqual('it has no response of its own')
  if (response.type === 'error') throw new NoEqual('it is a network error. Give the stub `fault: { kind: reset }`')
  return {
    name: undefined,
    method: isAny ? undefined : verb.toUpperCase(),
    path,
    when: {},
    respond: [
      {
        status: response.status,
        ...readHeaders([...response.headers], undefined),
        body: bodyOf(await response.text(), undefined),
      },
    ],
  }
}
