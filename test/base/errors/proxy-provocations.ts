import type { RequestListener } from 'node:http'
import request from 'supertest'
import { createStandin } from '../../../src/index.ts'
import type { Received } from './provocations.ts'
import { startProxy, startService } from '../../support/servers/proxy.ts'

/** A request through `standin proxy` to a service that treats it like this. */
async function through(treat: RequestListener, headers: Readonly<Record<string, string>> = {}): Promise<Received> {
  const { url } = await startProxy(await startService(treat), { timeout: 50 })
  return request(url).get('/').set(headers)
}

/** A proxy that leads to another one, which leads back to it. */
async function throughLoop(): Promise<Received> {
  let first = ''
  const back = await startService((incoming, response) => {
    const { via = '' } = incoming.headers
    request(first)
      .get('/')
      .set('Via', via)
      .then(
        ({ status, headers, text }) => response.writeHead(status, headers).end(text),
        () => response.destroy(),
      )
  })
  first = (await startProxy(back)).url
  return request(first).get('/')
}

export const PROXY_PROVOCATIONS: Readonly<Record<string, () => Promise<Received>>> = {
  'upstream-unreachable': async () => request((await startProxy('http://127.0.0.1:1')).url).get('/'),
  'upstream-broken': () => through((_incoming, response) => response.destroy()),
  'upstream-timeout': () => through(() => undefined),
  'upgrade-refused': () =>
    through((_incoming, response) => response.end(), { Connection: 'Upgrade', Upgrade: 'websocket' }),
  'proxy-loop': throughLoop,
  'no-upstream': async () =>
    request(createStandin().app)
      .patch('/__mock/upstream')
      .send({ operations: { searchFiles: 'mock' } }),
}
