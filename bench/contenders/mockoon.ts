import type { Work } from './contender.ts'

/** A Mockoon environment, as JSON, with one route: method and path must match, the answer is constant. */
export function describeForMockoon({ ask, answer }: Work, port: number): string {
  const [path = ''] = ask.path.split('?')
  const route = '6d3e0c52-6a3b-4f0e-9a54-1f6d0f7a0002'
  return JSON.stringify({
    uuid: '6d3e0c52-6a3b-4f0e-9a54-1f6d0f7a0001',
    lastMigration: 33,
    name: 'bench',
    port,
    hostname: '127.0.0.1',
    endpointPrefix: '',
    latency: 0,
    folders: [],
    rootChildren: [{ type: 'route', uuid: route }],
    routes: [
      {
        uuid: route,
        type: 'http',
        documentation: '',
        method: ask.method.toLowerCase(),
        endpoint: path.slice(1),
        responseMode: null,
        streamingMode: null,
        streamingInterval: 0,
        responses: [response(answer)],
      },
    ],
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    proxyReqHeaders: [],
    proxyResHeaders: [],
    tlsOptions: { enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
    cors: false,
    headers: [],
    data: [],
    callbacks: [],
  })
}

function response(body: string): object {
  return {
    uuid: '6d3e0c52-6a3b-4f0e-9a54-1f6d0f7a0003',
    body,
    latency: 0,
    statusCode: 200,
    label: '',
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    bodyType: 'INLINE',
    filePath: '',
    databucketID: '',
    sendFileAsBody: false,
    rules: [],
    rulesOperator: 'OR',
    disableTemplating: true,
    fallbackTo404: false,
    default: true,
    crudKey: 'id',
    callbacks: [],
  }
}
