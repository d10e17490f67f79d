import type { Transporter } from 'nodemailer'
import { type Letter, SENDER } from './letter.ts'
import { shown } from '../../../errors/problem.ts'

/** Hands letters to a mail server, one after the other. */
export interface Post {
  /** The server, for messages; never with a password. */
  readonly name: string
  /** @throws PostRefused */
  send(letter: Letter): Promise<void>
  /** Hangs up; the next letter calls again. */
  rest(): void
}

/** What speaks against a letter. */
export class PostRefused extends Error {
  /**
   * `never`: this letter will not be taken, however often it is sent; `later`: not now; `unreachable`: the server takes no letters
   * at all at present.
   */
  readonly kind: 'never' | 'later' | 'unreachable'

  constructor(kind: PostRefused['kind'], message: string) {
    super(message)
    this.name = 'PostRefused'
    this.kind = kind
  }
}

/** Milliseconds. A mail catcher is near; one that needs longer is down. */
const PATIENCE = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 20_000, dnsTimeout: 5000 }

/**
 * A post to the server at an address `smtp://[user:password@]host[:port]`, which is spoken to in clear, or `smtps://`, in TLS.
 * nodemailer is loaded with the first letter.
 */
export function createPost(address: string): Post {
  const url = new URL(address)
  let transport: Transporter | undefined
  return {
    name: url.host,
    async send(letter) {
      refuseSeveral(letter.to)
      transport ??= await connect(url)
      const { attachment, to, ...rest } = letter
      try {
        await transport.sendMail({
          ...rest,
          to: { name: '', address: to },
          envelope: { from: SENDER, to: [to] },
          ...(attachment ? { attachments: [attachment] } : {}),
          // Nothing in a letter makes a file or an address be read.
          disableFileAccess: true,
          disableUrlAccess: true,
        })
      } catch (error) {
        throw refusalOf(error)
      }
    },
    rest() {
      transport?.close()
      transport = undefined
    },
  }
}

/** In the notation of messages (RFC 5322, 3.4) these part addresses, or make groups and comments of them. */
const SEPARATORS = /[\s,;:<>()"\\]/

/** The behaviour catalogue lets nearly everything be an address; one recipient must not become two. */
function refuseSeveral(address: string): void {
  if (SEPARATORS.test(address)) throw new PostRefused('never', `${shown(address)} is not one address`)
}

async function connect({ protocol, hostname, port, username, password }: URL): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const secure = protocol === 'smtps:'
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 25) : Number(port),
    secure,
    // A mail catcher that offers STARTTLS has a self-signed certificate.
    ignoreTLS: !secure,
    pool: true,
    maxConnections: 1,
    maxMessages: Infinity,
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...PATIENCE,
  })
}

function refusalOf(error: unknown): PostRefused {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message?: string }
  const text = message ?? String(error)
  if (code === 'EAUTH') return new PostRefused('unreachable', text)
  if (responseCode !== undefined && responseCode >= 400)
    return new PostRefused(responseCode < 500 ? 'later' : 'never', text)
  return new PostRefused(code === 'EENVELOPE' || code === 'EMESSAGE' ? 'never' : 'unreachable', text)
}
