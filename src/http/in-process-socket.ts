import { Duplex } from 'node:stream'

/**
 * One end of a connection within the process. Node's HTTP parser reads and writes it like a socket, so every request takes the path of
 * one from the network, and faults break the connection as they would there.
 */
export class InProcessSocket extends Duplex {
  readonly remoteAddress = '127.0.0.1'
  readonly localAddress = '127.0.0.1'
  /** Whether the request is for an address that begins with `https:`. */
  readonly encrypted: boolean
  bytesWritten = 0
  #peer: InProcessSocket | undefined
  /** Called when this end has read what the other wrote. */
  #hasRead: ((error?: Error) => void) | undefined

  private constructor(encrypted: boolean, options: { readonly allowHalfOpen: boolean }) {
    super(options)
    this.encrypted = encrypted
  }

  /** Both ends of a new connection. */
  static pair(encrypted: boolean): { readonly client: InProcessSocket; readonly server: InProcessSocket } {
    const client = new InProcessSocket(encrypted, { allowHalfOpen: false })
    const server = new InProcessSocket(encrypted, { allowHalfOpen: true })
    client.#peer = server
    server.#peer = client
    return { client, server }
  }

  override _read(): void {
    const done = this.#hasRead
    this.#hasRead = undefined
    done?.()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    const peer = this.#peer
    if (!peer || peer.destroyed) {
      callback(brokenPipe())
      return
    }
    this.bytesWritten += chunk.length
    peer.#hasRead = callback
    // An empty chunk is not read.
    if (chunk.length === 0) peer._read()
    else peer.push(chunk)
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#endPeer()
    callback()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#hasRead?.(brokenPipe())
    this.#hasRead = undefined
    this.#endPeer()
    callback(error)
  }

  /** The other end still reads what was written before. */
  #endPeer(): void {
    if (this.#peer && !this.#peer.destroyed && !this.#peer.readableEnded) this.#peer.push(null)
  }

  /** Closes the connection when everything is written, as `net.Socket` does. */
  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  /** The other end meets an error instead of the end of the stream, as `net.Socket` does. */
  resetAndDestroy(): void {
    this.#peer?.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
    this.destroy()
  }
}

function brokenPipe(): Error {
  return Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
}
