/** Express as it is used: `node bench/servers/express.js PORT BODY-FILE` reads the JSON of the request and sends one object as JSON. */
import { readFileSync } from 'node:fs'
import express from 'express'

const [port, path] = process.argv.slice(2)
const body = path === undefined ? {} : JSON.parse(readFileSync(path, 'utf8'))

express()
  .use(express.json())
  .use((_, response) => {
    response.json(body)
  })
  .listen(Number(port), '127.0.0.1')
