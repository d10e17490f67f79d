import { createInstance } from '@stoplight/prism-http'
import type { Wanted } from './generator.ts'
import type { Resource } from './prism-operation.ts'

/** What Prism has chosen: a status, headers, and a body that is an example, the mark of a place, or not there. */
export interface Choice {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Why Prism chooses nothing, and the status that it says so with. */
export interface NoChoice {
  readonly status: number
  readonly detail: string
}

interface Asked {
  readonly wanted: Wanted
  /** The request header. */
  readonly accept: string | undefined
}

/**
 * Lets Prism choose the answer of an operation. Its router and its validators have no part in it: the request was routed, and held
 * against the contract, before.
 *
 * @throws Error for what Prism cannot cope with, which is a defect of the mock
 */
export async function negotiate(resource: Resource, { wanted, accept }: Asked): Promise<Choice | NoChoice> {
  const { code, example, dynamic = false } = wanted
  const mediaTypes = mediaTypesOf(accept)
  const config = {
    isProxy: false as const,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    mock: {
      dynamic: dynamic && example === undefined,
      ...(code === undefined ? {} : { code }),
      ...(example === undefined ? {} : { exampleKey: example }),
      ...(mediaTypes === undefined ? {} : { mediaTypes }),
    },
  }
  const prism = createInstance(config, {
    logger: MUTE as never,
    route: () => ({ _tag: 'Right', right: resource }),
  })
  const input = { method: resource.method as 'get', url: { path: resource.path }, headers: {} }
  const result = await prism.request(input, [resource], config)()
  if (result._tag === 'Left') return noChoice(result.left, { example, mediaTypes })
  const { statusCode, headers = {}, body } = result.right.output
  return { status: statusCode, headers, body }
}

interface Sought {
  readonly example: string | undefined
  readonly mediaTypes: readonly string[] | undefined
}

/** Prism's own refusals have a status, but when it looked for a status too, it has lost that; anything else is a failure of its. */
function noChoice(error: Error & { readonly status?: number }, { example, mediaTypes }: Sought): NoChoice {
  const { status = example !== undefined ? 404 : mediaTypes ? 406 : 500, message } = error
  if (status >= 500) throw error
  return { status, detail: message }
}

/** The media ranges of an Accept header that are well formed; undefined for all, for then Prism prefers JSON. */
function mediaTypesOf(accept: string | undefined): string[] | undefined {
  if (accept === undefined) return undefined
  const ranges = accept.split(',').map((range) => range.trim())
  const wellFormed = ranges.filter((range) =>
    /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+( *; *[\w-]+=("[^"]*"|[^\s;"]+))*$/.test(range),
  )
  return wellFormed.length === 0 || wellFormed.every((range) => range.startsWith('*/*')) ? undefined : wellFormed
}

/** Prism tells its every thought to a log; ours has one line for each exchange. */
const MUTE = {
  child: () => MUTE,
  trace: drop,
  debug: drop,
  info: drop,
  success: drop,
  warn: drop,
  error: drop,
  fatal: drop,
}

function drop(): void {
  // Nobody reads it.
}
