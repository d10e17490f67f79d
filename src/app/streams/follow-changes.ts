import { bareType } from '../../contract/media-type.ts'
import { requestInvalid } from '../../base/errors/request-errors.ts'
import { weightOf } from '../../http/response.ts'
import { asText } from '../../base/formats/json.ts'
import type { Outcome } from '../../resources/handler.ts'
import type { ChangeStream } from '../../resources/resource.ts'
import type { AppOptions } from '../app-options.ts'
import { noteViolations, warns } from '../middleware/leave-out-invalid.ts'
import { readParameters } from '../middleware/read-parameters.ts'
import type { RequestContext } from '../middleware/request-context.ts'

/**
 * Opens a stream of what changes; undefined where the request asks for another media type, for a documented response, or the behaviour
 * says that streams are generated.
 *
 * @throws Problem for invalid parameters
 */
export function followChanges(
  context: RequestContext,
  stream: ChangeStream,
  { validation }: Pick<AppOptions, 'validation'>,
): Outcome | undefined {
  const { request, sandbox, route, search, tracker } = context
  const mediaType = wantedType(stream, request.headers.accept)
  if (mediaType === undefined || request.headers.prefer !== undefined) return undefined
  if (tracker.ask('streams.changes') === 'generated') return undefined
  const { operation, parameters } = route
  const sent = { segments: parameters, search, headers: request.headers, bound: undefined }
  const { path, violations } = readParameters(operation, sent, tracker)
  if (violations.length > 0) {
    if (!warns(operation, validation)) throw requestInvalid(violations)
    noteViolations(context, violations)
  }
  const names = operation.path.match(/(?<=\{)[^}]+(?=\})/g) ?? []
  const lastEventId = request.headers['last-event-id']
  const live = stream.open({
    sandbox,
    mediaType: bareType(mediaType),
    path: names.map((name) => asText(path[name])),
    lastEventId: lastEventId === undefined ? undefined : String(lastEventId),
  })
  return { status: 200, headers: { 'cache-control': 'no-cache' }, body: { live }, events: [] }
}

/** The media type of the stream that Accept names; the first where it names none and the operation has nothing else. */
function wantedType({ mediaTypes, isOnly }: ChangeStream, accept: string | undefined): string | undefined {
  const named = accept === undefined ? [] : mediaTypes.filter((type) => weightOf(accept, [bareType(type)]) > 0)
  if (named.length > 0) return named[0]
  const isAny = accept === undefined || weightOf(accept, ['*/*', 'text/*', 'application/*']) > 0
  return isOnly && isAny ? mediaTypes[0] : undefined
}
