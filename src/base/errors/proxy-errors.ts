import { defineError } from './problem.ts'

// Errors of `standin proxy`: what the service at the other end did, and what is not forwarded.

export const upstreamUnreachable = defineError('upstream-unreachable', 502, 'The service cannot be reached')
export const upstreamBroken = defineError('upstream-broken', 502, 'The service broke the connection')
export const upstreamTimeout = defineError('upstream-timeout', 504, 'The service did not respond in time')
export const upgradeRefused = defineError('upgrade-refused', 501, 'The proxy does not forward this protocol')
export const proxyLoop = defineError('proxy-loop', 508, 'The proxy forwards to itself')
export const contractBroken = defineError('contract-broken', 502, 'The exchange breaks the contract')
export const noUpstream = defineError('no-upstream', 409, 'No service is behind this server')
