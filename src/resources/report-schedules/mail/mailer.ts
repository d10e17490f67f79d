import type { Transporter } from 'nodemailer'
import { shown } from '../../../base/errors/problem.ts'
import { type Message, SENDER } from './message.ts'

/** Hands messages to a mail server, one after the other. */
export interface Mailer {
  /** The server, for log lines. Never with a password. */
  readonly name: string
  /** @throws MailRefused */
  send(message: Message): Promise<void>
  /** Closes the connection. The next message opens another. */
  close(): void
}

/** Why a message was not sent. */
export class MailRefused extends Error {
  /** `never`: this message will never be accepted; `later`: not now; `unreachable`: the server accepts no messages at present. */
  readonly kind: 'never' | 'later' | 'unreachable'

  constructor(kind: MailRefused['kind'], message: string) {
    super(message)
    this.name = 'MailRefused'
    this.kind = kind
  }
}

/** Milliseconds. Test mail servers are near; one that takes longer is down. */
const TIMEOUTS = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 20_000, dnsTimeout: 5000 }

/** @param address `smtp://[user:password@]host[:port]` without encryption, or `smtps://` with TLS */
export function createMailer(address: string): Mailer {
  const url = new URL(address)
  let transport: Transporter | undefined
  return {
    name: url.host,
    async send(message) {
      const { to } = message
      refuseSeveral(to)
      // nodemailer is loaded with the first message.
      transport ??= await connect(url)
      const recipient = { to: { name: '', address: to }, envelope: { from: SENDER, to: [to] } }
      // Nothing in a message makes a file or an address be read.
      const limits = { disableFileAccess: true, disableUrlAccess: true }
      try {
        await transport.sendMail({ ...message, ...recipient, ...limits })
      } catch (error) {
        throw refusalOf(error)
      }
    },
    close() {
      transport?.close()
      transport = undefined
    },
  }
}

/** In messages (RFC 5322, 3.4) these separate addresses, or make groups and comments of them. */
const SEPARATORS = /[\s,;:<>()"\\]/

/** Behaviours can accept nearly any text as an address, but one recipient must not become two. */
function refuseSeveral(address: string): void {
  if (SEPARATORS.test(address)) throw new MailRefused('never', `${shown(address)} is not one address`)
}

async function connect({ protocol, hostname, port, username, password }: URL): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const secure = protocol === 'smtps:'
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 25) : Number(port),
    secure,
    // A test mail server that offers STARTTLS has a self-signed certificate.
    ignoreTLS: !secure,
    pool: true,
    maxConnections: 1,
    maxMessages: Infinity,
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...TIMEOUTS,
  })
}

function refusalOf(error: unknown): MailRefused {
  const {
    code,
    responseCode = 0,
    message = String(error),
  } = error as {
    code?: string
    responseCode?: number
    message?: string
  }
  if (code === 'EAUTH') return new MailRefused('unreachable', message)
  if (responseCode >= 400) return new MailRefused(responseCode < 500 ? 'later' : 'never', message)
  return new MailRefused(code === 'EENVELOPE' || code === 'EMESSAGE' ? 'never' : 'unreachable', message)
}
