/** Scalar's mock server, which comes as a library: `node bench/servers/scalar.js PORT CONTRACT`. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'

const [port, contract] = process.argv.slice(2)
const peers = createRequire(new URL('../../.peers/package.json', import.meta.url))
const load = (name) => import(pathToFileURL(peers.resolve(name)).href)

const { createMockServer } = await load('@scalar/mock-server')
const { serve } = await load('@hono/node-server')
const app = await createMockServer({ document: parse(readFileSync(contract, 'utf8')), logger: false })
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' }, () => {
  process.stdout.write(`http://127.0.0.1:${port} is listening\n`)
})
