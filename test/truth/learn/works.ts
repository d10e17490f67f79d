/** A contract that says of a works what it has, and not what becomes of it. */
const job = { $ref: '#/components/schemas/Job' }
const remark = { $ref: '#/components/schemas/Remark' }
const content = (schema: object) => ({ description: 'It is so.', content: { 'application/json': { schema } } })
const parameters = [{ name: 'jobId', in: 'path', required: true, schema: { type: 'integer' } }]
const action = (operationId: string) => ({
  parameters,
  post: { operationId, responses: { 204: { description: 'It is done.' } } },
})

export const WORKS_CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Works', version: '1' },
  paths: {
    '/jobs': {
      get: { operationId: 'listJobs', responses: { 200: content({ type: 'array', items: job }) } },
      post: {
        operationId: 'createJob',
        requestBody: content({ type: 'object', properties: { title: { type: 'string' }, note: { type: 'string' } } }),
        responses: { 201: content(job) },
      },
    },
    '/jobs/{jobId}': {
      parameters,
      get: { operationId: 'getJob', responses: { 200: content(job) } },
      patch: {
        operationId: 'updateJob',
        requestBody: content({ type: 'object', properties: { title: { type: 'string' }, note: { type: 'string' } } }),
        responses: { 200: content(job) },
      },
    },
    '/jobs/{jobId}/hand-in': action('handIn'),
    '/jobs/{jobId}/look-at': action('lookAt'),
    '/jobs/{jobId}/remarks': {
      parameters,
      get: { operationId: 'listRemarks', responses: { 200: content({ type: 'array', items: remark }) } },
      post: {
        operationId: 'addRemark',
        requestBody: content(remark),
        responses: { 204: { description: 'It is done.' } },
      },
    },
    '/jobs/{jobId}/remarks/{remarkId}': {
      parameters: [...parameters, { name: 'remarkId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getRemark', responses: { 200: content(remark) } },
    },
  },
  components: {
    schemas: {
      Job: {
        type: 'object',
        required: ['id', 'title', 'stage'],
        properties: {
          id: { type: 'integer' },
          title: { type: 'string' },
          note: { type: ['string', 'null'] },
          stage: { type: 'string' },
          isHandedIn: { type: 'boolean' },
          looks: { type: 'integer' },
          isRemarked: { type: 'boolean' },
          changedAt: { type: 'string', format: 'date-time' },
        },
      },
      Remark: {
        type: 'object',
        required: ['text'],
        properties: { id: { type: 'integer', readOnly: true }, text: { type: 'string' } },
      },
    },
  },
}

interface Job {
  readonly id: number
  readonly title: string
  readonly note: string | null
  readonly stage: string
  readonly isHandedIn: boolean
  readonly looks: number
  readonly isRemarked: boolean
  readonly changedAt: string
}

export interface WorksRequest {
  readonly method: string
  readonly path: string
  readonly body?: object
  /** Milliseconds since the beginning. */
  readonly at: number
}

const BEGINNING = Date.UTC(2026, 2, 5)

/** What a works responds: a job that was handed in is CHECKING, and 4 s later DONE; then it cannot be handed in again. */
function createWorks() {
  const jobs = new Map<number, Job & { readonly handedInAt?: number }>()
  const present = (id: number, at: number) => {
    const found = jobs.get(id)
    if (!found) return undefined
    const { handedInAt, ...held } = found
    const isDone = handedInAt !== undefined && at - handedInAt >= 4000
    return isDone ? { ...held, stage: 'DONE' } : held
  }
  return ({ method, path, body = {}, at }: WorksRequest): { readonly status: number; readonly body?: unknown } => {
    const [, , number, word] = path.split('/')
    const id = Number(number)
    const changedAt = new Date(BEGINNING + at).toISOString()
    if (number === undefined && method === 'GET')
      return { status: 200, body: [...jobs.keys()].map((one) => present(one, at)) }
    if (number === undefined) {
      const made = {
        note: null,
        ...body,
        id: jobs.size + 1,
        stage: 'OPEN',
        isHandedIn: false,
        looks: 0,
        isRemarked: false,
        changedAt,
      } as Job
      jobs.set(made.id, made)
      return { status: 201, body: made }
    }
    const held = jobs.get(id)
    const job = present(id, at)
    if (!held || !job) return { status: 404, body: { error: 'NO_JOB' } }
    if (method === 'GET') return { status: 200, body: job }
    if (method === 'PATCH') jobs.set(id, { ...held, ...body, changedAt })
    else if (word === 'remarks') jobs.set(id, { ...held, isRemarked: true })
    else if (word === 'look-at') jobs.set(id, { ...held, looks: held.looks + 1 })
    else if (job.stage === 'DONE') return { status: 409, body: { error: 'IS_DONE' } }
    else jobs.set(id, { ...held, stage: 'CHECKING', isHandedIn: true, changedAt, handedInAt: at })
    return method === 'PATCH' ? { status: 200, body: present(id, at) } : { status: 204 }
  }
}

/** An archive of what the works responds to these requests. */
export function recordWorks(requests: readonly WorksRequest[]): object {
  const respond = createWorks()
  const entries = requests.map((request) => {
    const { status, body } = respond(request)
    return {
      startedDateTime: new Date(BEGINNING + request.at).toISOString(),
      time: 5,
      request: {
        method: request.method,
        url: `http://works.example${request.path}`,
        headers: [],
        ...(request.body && { postData: { mimeType: 'application/json', text: JSON.stringify(request.body) } }),
      },
      response: {
        status,
        headers: [{ name: 'Content-Type', value: 'application/json' }],
        content: body === undefined ? { size: 0 } : { text: JSON.stringify(body) },
      },
    }
  })
  return { log: { version: '1.2', entries } }
}
