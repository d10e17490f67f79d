import { EventEmitter } from 'node:events'

/** What a page's request has of a connection. The middlewares break it, as they would one of the network. */
class PageSocket {
  readonly remoteAddress = '127.0.0.1'
  readonly localAddress = '127.0.0.1'
  /** Each request has a connection of its own. */
  readonly bytesWritten = 0
  readonly encrypted: boolean
  readonly #end: () => void

  /** @param end breaks the connection off */
  constructor(encrypted: boolean, end: () => void) {
    this.encrypted = encrypted
    this.#end = end
  }

  /** Bytes that are no response; the client cannot read them. */
  write(): boolean {
    return true
  }

  destroySoon(): void {
    this.#end()
  }

  resetAndDestroy(): void {
    this.#end()
  }
}

// In a bundle for pages this module takes the place of `http/in-process-socket.ts`.
export { PageSocket as InProcessSocket }

/** A request as the middlewares read it from node:http. */
export class PageRequest extends EventEmitter {
  readonly httpVersion = '1.1'
  readonly method: string
  url: string
  readonly headers: Readonly<Record<string, string>>
  readonly rawHeaders: readonly string[]
  readonly socket: PageSocket
  readableEnded = false
  #body: Uint8Array | undefined

  constructor(head: Pick<PageRequest, 'method' | 'url' | 'headers' | 'socket'>, body: Uint8Array) {
    super()
    this.method = head.method
    this.url = head.url
    this.headers = head.headers
    this.rawHeaders = Object.entries(head.headers).flat()
    this.socket = head.socket
    this.#body = body
  }

  override on(event: string, listener: (...given: unknown[]) => void): this {
    super.on(event, listener)
    if (event === 'data') queueMicrotask(() => this.#send())
    return this
  }

  /** The body comes whole, so only a request that is refused before that is paused. */
  pause(): this {
    this.#body = undefined
    return this
  }

  #send(): void {
    const body = this.#body
    if (!body) return
    this.#body = undefined
    if (body.length > 0) this.emit('data', Buffer.from(body.buffer, body.byteOffset, body.byteLength))
    this.readableEnded = true
    this.emit('end')
  }
}
