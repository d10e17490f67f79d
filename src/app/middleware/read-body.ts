import { refusal } from '../../behaviours/refusal.ts'
import { createOwnedCache, createSeen } from '../../base/cache.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { notAcceptable } from '../../base/errors/request-errors.ts'
import { operationRefused } from '../../base/errors/response-errors.ts'
import { collectBytes, decode, parseJsonBody, readJsonText } from '../../http/json-body.ts'
import { weightOf } from '../../http/response.ts'
import type { Binding } from '../binding/binding.ts'
import { readOtherBody } from './read-other-body.ts'
import type { Middleware, RequestContext } from './request-context.ts'

/**
 * Reads the body of a request: JSON, or the media types that the contract names. Before, it refuses operations that cannot be handled,
 * and requests that do not accept JSON where `http.accept` says so.
 *
 * @throws Problem 501, 406, 415, 413 or 400
 */
export function readBody(): Middleware {
  const bodies = createKnownBodies()
  return (request, { locals: { context } }, next) => {
    const { binding, sandbox } = context
    if (binding.kind === 'refused' && !binding.stubs && sandbox.state.declaredStubs.size === 0)
      throw notHandled(binding)
    if (binding.kind === 'stateful') refuseOtherMedia(context)
    const { operation } = context.route
    // The fields of a form that is posted to a GET are its query: see `http.posted-call`.
    if (request.method === 'POST' && operation.method === 'GET') {
      readFields(context).then(() => next(), next)
      return
    }
    if (operation.bodyTypes) {
      readOtherBody(context, operation, operation.bodyTypes).then((value) => {
        context.body = value
        next()
      }, next)
      return
    }
    readJsonText(request, context, (error, text) => {
      try {
        if (error !== undefined) throw error as Error
        context.body = text === undefined ? undefined : readOrReuse(context, text, bodies)
      } catch (thrown) {
        next(thrown)
        return
      }
      next()
    })
  }
}

async function readFields(context: RequestContext): Promise<void> {
  const { request, tracker, trace } = context
  const fields = decode(await collectBytes(request, tracker.settings['http.size']), trace)
  trace.received = fields
  context.search = [context.search, fields].filter((part) => part !== '').join('&')
}

/** Bytes. */
const MAX_KNOWN = 8 * 2 ** 20
/** Longer bodies are not cached. */
const LONGEST_KNOWN = 65_536

type KnownBodies = ReturnType<typeof createKnownBodies>

/** The values of bodies that were sent twice or more, by the behaviours that they were read by. */
function createKnownBodies() {
  // A value takes several times the space of its text, and so does what is made from it.
  const sizeOf = ({ text }: { readonly text: string; readonly value: object }) => 2048 + 12 * text.length
  return {
    kept: createOwnedCache<string, Parameters<typeof sizeOf>[0]>({ most: MAX_KNOWN, sizeOf }),
    seen: createSeen(),
  }
}

/** The value of a body's text: a client that walks through pages sends the same body with each request. */
function readOrReuse(context: RequestContext, text: string, { kept, seen }: KnownBodies): unknown {
  const { tracker, trace, binding } = context
  const { behaviours } = context.sandbox
  const allowsAnyValue = binding.kind !== 'stateful'
  trace.received = text
  const known = kept.get(behaviours, text)
  if (known) {
    context.isKnownBody = true
    return known.value
  }
  const { value, isPlain } = parseJsonBody(text, tracker, allowsAnyValue)
  if (isPlain && !allowsAnyValue && text.length <= LONGEST_KNOWN && seen(text)) {
    kept.set(behaviours, text, { text, value: value as object })
    context.isKnownBody = true
  }
  return value
}

export function notHandled({ operation, reason }: Extract<Binding, { readonly kind: 'refused' }>): Problem {
  return operationRefused({ detail: `${operation.method} ${operation.path} is not answered: ${reason}.` })
}

/** @throws Problem 406 for an Accept that excludes JSON, where it is respected */
function refuseOtherMedia({ request, tracker }: RequestContext): void {
  const { accept } = request.headers
  if (accept === undefined || acceptsJson(accept) || tracker.ask('http.accept') === 'ignore') return
  const violation = refusal('http.accept', { header: 'Accept' }, 'application/json', accept)
  throw notAcceptable({
    detail: `${violation.message} Responses are JSON.`,
    violations: [violation],
  })
}

/** The most specific range that fits counts, and a weight of 0 excludes it (RFC 9110, 12.5.1). Any `+json` is JSON. */
function acceptsJson(accept: string): boolean {
  if (accept === '*/*' || accept === 'application/json' || accept.trim() === '') return true
  return (
    weightOf(accept.replaceAll(/application\/[\w.-]+\+json/gi, 'application/json'), [
      'application/json',
      'application/*',
      '*/*',
    ]) > 0
  )
}
