import { EventEmitter } from 'node:events'
import { STATUS_CODES } from 'node:http'
import { WITHOUT_BODY } from '../in-process-fetch.ts'

/** Takes what comes of a request. */
interface Client {
  respond(response: Response): void
  /** There is no response. */
  fail(cause: Error): void
}

/** Bytes that may wait for the client before a writer is asked to pause. */
const MOST_WAITING = 65_536

type HeaderList = readonly string[] | Readonly<Record<string, string | number>>

/** A response as the middlewares write it to node:http. */
export class PageResponse extends EventEmitter {
  statusCode = 200
  headersSent = false
  writableEnded = false
  destroyed = false
  closed = false
  shouldKeepAlive = true
  readonly #headers = new Headers()
  readonly #client: Client
  readonly #isHead: boolean
  readonly #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #isDelivered = false
  #failure: Error | undefined
  /** Called when there is more to read. */
  #wake: (() => void) | undefined

  /** @param isHead whether the client gets no body, whatever is written */
  constructor(client: Client, isHead: boolean) {
    super()
    this.#client = client
    this.#isHead = isHead
  }

  get writableLength(): number {
    return this.#waitingBytes
  }

  setHeader(name: string, value: string | number): this {
    this.#headers.set(name, String(value))
    return this
  }

  writeHead(status: number, headers: HeaderList = []): this {
    this.statusCode = status
    const flat = Array.isArray(headers) ? (headers as readonly string[]) : Object.entries(headers).flat()
    for (let at = 0; at < flat.length; at += 2) this.#headers.delete(String(flat[at]))
    for (let at = 0; at < flat.length; at += 2) this.#headers.append(String(flat[at]), String(flat[at + 1]))
    this.headersSent = true
    return this
  }

  flushHeaders(): void {
    if (this.#isDelivered) return
    this.#isDelivered = true
    this.headersSent = true
    const status = this.statusCode
    const body = this.#isHead || WITHOUT_BODY.has(status) ? null : this.#createBody()
    try {
      this.#client.respond(
        new Response(body, { status, statusText: STATUS_CODES[status] ?? '', headers: this.#headers }),
      )
    } catch (error) {
      // A page cannot have a response with a status below 200.
      this.#client.fail(error as Error)
    }
  }

  /** @returns false to ask for a pause until `drain` */
  write(content: string | Uint8Array, encoding?: BufferEncoding | (() => void), done?: () => void): boolean {
    this.flushHeaders()
    const bytes = typeof content === 'string' ? Buffer.from(content, encoding as BufferEncoding) : content
    if (bytes.length > 0 && !this.destroyed) {
      this.#waiting.push(bytes)
      this.#waitingBytes += bytes.length
      this.#wake?.()
    }
    const callback = typeof encoding === 'function' ? encoding : done
    if (callback) setImmediate(callback)
    return this.#waitingBytes < MOST_WAITING
  }

  end(content: string | Uint8Array = '', encoding?: BufferEncoding): this {
    this.write(content, encoding)
    this.writableEnded = true
    this.#wake?.()
    this.#close()
    return this
  }

  /** Ends the connection, in the middle of a response or before one. */
  destroy(cause: Error = new TypeError(this.#isDelivered ? 'terminated' : 'fetch failed')): this {
    if (this.destroyed || this.writableEnded) return this
    this.destroyed = true
    this.#failure = cause
    if (this.#isDelivered) this.#wake?.()
    else this.#client.fail(cause)
    this.#close()
    return this
  }

  #close(): void {
    setImmediate(() => {
      if (this.closed) return
      this.closed = true
      if (this.writableEnded) this.emit('finish')
      this.emit('close')
    })
  }

  /** Reads as fast as the client does, and what was written before a failure too. */
  #createBody(): ReadableStream<Uint8Array> {
    return new ReadableStream(
      {
        pull: async (controller) => {
          while (this.#waiting.length === 0 && !this.writableEnded && !this.#failure)
            await new Promise<void>((resolve) => (this.#wake = resolve))
          const bytes = this.#waiting.shift()
          if (bytes) this.#pass(bytes, controller)
          else if (this.#failure) controller.error(this.#failure)
          else controller.close()
        },
        cancel: () => void this.destroy(),
      },
      { highWaterMark: 0 },
    )
  }

  #pass(bytes: Uint8Array, controller: ReadableStreamDefaultController<Uint8Array>): void {
    controller.enqueue(bytes)
    const wasFull = this.#waitingBytes >= MOST_WAITING
    this.#waitingBytes -= bytes.length
    if (wasFull && this.#waitingBytes < MOST_WAITING) this.emit('drain')
  }
}
