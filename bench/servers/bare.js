/** The fastest that Node can be: `node bench/servers/bare.js PORT BODY-FILE` sends the same bytes whatever is asked. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, path] = process.argv.slice(2)
const body = path === undefined ? Buffer.from('{}') : readFileSync(path)
const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length }

createServer((_, response) => response.writeHead(200, headers).end(body)).listen(Number(port), '127.0.0.1')
