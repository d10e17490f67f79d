/** A request to a service and its response, as recorded by a browser, by the proxy, or when Standin sent it. */
export interface RecordedExchange {
  /** Where it is from, for messages: `session.har, entry 12`. */
  readonly source: string
  /** Epoch ms when the request was sent. */
  readonly at: number
  /** From the request to the end of the response. */
  readonly milliseconds: number
  readonly request: RecordedRequest
  readonly response: RecordedResponse
  /** The kind of the fault of a stand-in that affected it. */
  readonly fault?: string
}

export interface RecordedRequest {
  readonly method: string
  /** Path and query as sent, below the address of the service. */
  readonly url: string
  /** In their order; names as sent. */
  readonly headers: readonly Header[]
  /** Undefined when there was none. */
  readonly body: string | undefined
}

export interface RecordedResponse {
  /** 0 when the connection ended without a response. */
  readonly status: number
  readonly headers: readonly Header[]
  /** As text after decompression; undefined when it was not recorded or is not UTF-8. */
  readonly body: string | undefined
  /** Whether all of the body is there. */
  readonly isWhole: boolean
}

export interface Header {
  readonly name: string
  readonly value: string
}

/** Headers as Node has them: names and values by turns. */
export function headersOf(raw: readonly string[]): Header[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: raw[at + 1] ?? '' }] : []))
}

/** A body that is one word, as a text or as JSON: the id of a new item may be all that a response says. */
export function wordIn(body: string | undefined): string | undefined {
  return /^"?([\w.:-]{3,200})"?$/.exec(body?.trim() ?? '')?.[1]
}

/** The first value of a header; names are compared without regard to case. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  const lower = name.toLowerCase()
  return headers.find((header) => header.name.toLowerCase() === lower)?.value
}
