import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A real SMTP server that keeps what it gets. */
export interface MailCatcher {
  readonly url: string
  readonly port: number
  readonly messages: readonly CaughtMessage[]
  /** Resolves when so many messages have come. */
  until(count: number): Promise<void>
  stop(): Promise<void>
}

interface CaughtMessage {
  readonly to: readonly string[]
  /** As it came over the wire. */
  readonly text: string
}

/** @param port 0 picks a free one */
export async function startMailCatcher(options: SMTPServerOptions = {}, port = 0): Promise<MailCatcher> {
  const messages: CaughtMessage[] = []
  let arrived: () => void = () => undefined
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = ''
      stream.setEncoding('utf8').on('data', (part: string) => (text += part))
      stream.once('end', () => {
        messages.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
        done()
        arrived()
      })
    },
    ...options,
  })
  // A client that hangs up without a word is no failure of the test.
  server.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: taken } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${taken}`,
    port: taken,
    messages,
    until: (count) =>
      new Promise((resolve) => {
        arrived = () => {
          if (messages.length >= count) resolve()
        }
        arrived()
      }),
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
