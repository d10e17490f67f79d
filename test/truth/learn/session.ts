export interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: object | undefined
}

export interface Received {
  readonly status: number
  readonly body: unknown
}

async function send(url: string, { method, path, body }: Sent): Promise<Received> {
  const response = await fetch(url + path, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
}

export const create = (body: object): Sent => ({ method: 'POST', path: '/pets', body })
export const get = (path: string): Sent => ({ method: 'GET', path })

/** What a client does; later requests name what earlier ones made. */
export function* usePets(names: readonly string[]): Generator<Sent, void, Received> {
  yield get('/vets')
  yield get('/version')
  yield get('/about')
  const ids: unknown[] = []
  for (const name of names) {
    const { body } = yield create({ name })
    ids.push((body as { id: unknown }).id)
  }
  yield create({ name: 'Smaug', species: 'dragon' })
  yield create({ name: 'Minka', nickname: 'Mi' })
  yield create({ nickname: 'Nameless' })
  for (const id of ids) yield get(`/pets/${String(id)}`)
  yield { method: 'PATCH', path: `/pets/${String(ids[0])}`, body: { name: 'Renamed' } }
  yield get(`/pets/${String(ids[0])}`)
  yield get('/pets')
  yield get('/pets/99999')
  yield get('/pets/88888')
  yield get('/vets/2')
  yield get('/vets/77')
  for (const id of [ids[1], ids[1], ids[2], ids[2], ids[3], ids[3]])
    yield { method: 'DELETE', path: `/pets/${String(id)}` }
  yield get(`/pets/${String(ids[1])}`)
}

export interface Exchanged {
  readonly sent: Sent
  readonly received: Received
}

export async function run(url: string, session: Generator<Sent, void, Received>): Promise<Exchanged[]> {
  const exchanged: Exchanged[] = []
  for (let next = session.next(); next.done !== true;) {
    const sent = next.value
    const received = await send(url, sent)
    exchanged.push({ sent, received })
    next = session.next(received)
  }
  return exchanged
}

export function harOf(exchanged: readonly Exchanged[]): { readonly log: object } {
  const entries = exchanged.map(({ sent: { method, path, body }, received }) => ({
    startedDateTime: '2026-03-05T14:30:00Z',
    request: {
      method,
      url: `http://clinic.example${path}`,
      headers: [],
      ...(body && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: {
      status: received.status,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: received.body === undefined ? { size: 0 } : { text: JSON.stringify(received.body) },
    },
  }))
  return { log: { version: '1.2', entries } }
}

/** Each service makes other ids. */
export function withoutIds(received: Received): unknown {
  return JSON.parse(JSON.stringify(received).replaceAll(/("id":|\/pets\/|pet has the number )\d+/g, '$10'))
}

/** One exchange: what was sent, and what came. */
export const seen = (sent: Sent, status: number, body?: unknown): Exchanged => ({ sent, received: { status, body } })
