import { defineError } from './problem.ts'

// Errors of `standin proxy`: what the service at the other end did, and what is not forwarded.

export const upstreamUnreachable = defineError('upstream-unreachable', 502, {
  title: 'The service cannot be reached',
  cause: 'The proxy could not connect to `--upstream`: nothing listens there, the name is unknown, or TLS failed.',
  remedy: 'Check the address of `--upstream`; the detail has the reason.',
})

export const upstreamBroken = defineError('upstream-broken', 502, {
  title: 'The service broke the connection',
  cause: 'The service closed the connection before its response was complete, or sent something that is not HTTP.',
  remedy: 'Look into the log of the service. Where the response had begun, the proxy breaks its own connection too.',
})

export const upstreamTimeout = defineError('upstream-timeout', 504, {
  title: 'The service did not respond in time',
  cause:
    'The service sent nothing, or the client no more of its request, for as long as `--timeout` of the proxy says.',
  remedy: 'Send the request again, or pass a longer `--timeout`.',
})

export const upgradeRefused = defineError('upgrade-refused', 501, {
  title: 'The proxy does not forward this protocol',
  cause: 'The request asks for a WebSocket, which `standin proxy` does not forward.',
  remedy: 'Connect to the service itself for this one.',
})

export const proxyLoop = defineError('proxy-loop', 508, {
  title: 'The proxy forwards to itself',
  cause: 'The request came through this proxy before: `--upstream` leads back to it.',
  remedy: 'Pass the address of the service as `--upstream`.',
})

export const contractBroken = defineError('contract-broken', 502, {
  isNeverSent: true,
  title: 'The exchange breaks the contract',
  cause:
    'A request or a response that the proxy forwarded is not as the contract says. Only the log and the journal show this, and the header `X-Mock-Violations` where it was asked for.',
  remedy: 'Correct the client, the service or the contract: `errors` names each place.',
})
