import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

interface StaticServer {
  /** With the path that the files are below. */
  readonly url: string
  /** Each request that came: `GET /a/path/index.html`. */
  readonly requests: readonly string[]
  stop(): void
}

/** Serves the files of a folder below a path, as GitHub Pages does. */
export async function serveFiles(folder: string, path: string): Promise<StaticServer> {
  const requests: string[] = []
  const server = createServer(({ method = '', url = '' }, response) => {
    requests.push(`${method} ${url}`)
    const { pathname } = new URL(url, 'http://localhost')
    const file = join(folder, pathname.slice(path.length), pathname.endsWith('/') ? 'index.html' : '')
    if (!pathname.startsWith(path) || !statSync(file, { throwIfNoEntry: false })?.isFile())
      response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    requests,
    stop: () => void server.close(),
  }
}
