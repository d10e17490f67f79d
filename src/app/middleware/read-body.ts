import { decode, readText } from '../../http/json-body.ts'
import { checkMediaType, collect } from '../../http/read-bytes.ts'
import { readOtherBody } from '../request/read-other-body.ts'
import type { Middleware, RequestContext } from '../request-context.ts'
import { createOwnedCache, createSeen, type OwnedCache, type Seen } from '../../engine/cache.ts'

/** Values of bodies that were sent at least twice lately: a walk sends the same body with each of its pages. */
interface KnownBodies extends OwnedCache<string, { readonly value: object; readonly bytes: number }> {
  readonly seen: Seen
}

/** Bytes. */
const MOST_KNOWN = 8 * 2 ** 20
/** Longer ones are not worth the room. */
const LONGEST_KNOWN = 65_536

/** They belong to the behaviours that they were read by. */
function createKnownBodies(): KnownBodies {
  return { ...createOwnedCache({ most: MOST_KNOWN, sizeOf: ({ bytes }) => bytes }), seen: createSeen() }
}

/** A value takes several times the room of its text, and so does what is made from it. */
function sizeOf(text: string): number {
  return 2048 + 12 * text.length
}

/** Reads the body of a request: JSON, or what the contract names. @throws Problem 415, 413 or 400 */
export function readBody(): Middleware {
  const bodies = createKnownBodies()
  return (request, { locals: { context } }, next) => {
    const { operation } = context.route
    if (operation.bodyTypes) {
      readOtherBody(context, operation, operation.bodyTypes).then((value) => {
        context.body = value
        next()
      }, next)
      return
    }
    const { tracker, trace } = context
    const isAny = context.binding.kind !== 'stateful'
    checkMediaType(request, tracker)
    collect(request, tracker.settings['http.size'], (error, bytes) => {
      try {
        if (error) throw error
        context.body = bytes.length === 0 ? undefined : known(context, decode(bytes, trace), bodies, isAny)
      } catch (thrown) {
        next(thrown)
        return
      }
      next()
    })
  }
}

/** The value of a body's text. A walk sends the same body with each of its pages, so what was read lately is used again. */
function known(context: RequestContext, text: string, bodies: KnownBodies, isAny: boolean): unknown {
  const { tracker, trace, sandbox } = context
  trace.received = text
  const kept = bodies.get(sandbox.behaviours, text)?.value
  if (kept) {
    context.isKnownBody = true
    return kept
  }
  const { value, isPlain } = readText(text, tracker, isAny)
  if (isPlain && !isAny && text.length <= LONGEST_KNOWN && bodies.seen(text)) {
    bodies.set(sandbox.behaviours, text, { value: value as object, bytes: sizeOf(text) })
    context.isKnownBody = true
  }
  return value
}
