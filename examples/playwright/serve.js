// Serves the app under test. Yours is served by its own tools.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html').end(readFileSync(new URL('app.html', import.meta.url)))
}).listen(Number(process.env.PORT), '127.0.0.1')
