/** `application/json; charset=utf-8` is `application/json`. */
export function bareType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase()
}

/** RFC 6839: JSON itself, or a format that is made of it. */
export function isJson(mediaType: string): boolean {
  const bare = bareType(mediaType)
  return bare === 'application/json' || bare.endsWith('+json') || bare === 'text/json'
}

/** A JSON text in each line, or in each part of a sequence (RFC 7464). */
export function isRows(mediaType: string): boolean {
  return /(?:ndjson|jsonl|json-seq|jsonlines)$/.test(bareType(mediaType))
}

/** Server-sent events. */
export function isEventStream(mediaType: string): boolean {
  return bareType(mediaType) === 'text/event-stream'
}

/** Whether a media type lies in a range: `text/csv` in `text/*`. */
export function isWithin(mediaType: string, range: string): boolean {
  const bare = bareType(mediaType)
  const wide = bareType(range)
  return wide === '*/*' || wide === bare || (wide.endsWith('/*') && bare.startsWith(wide.slice(0, -1)))
}
