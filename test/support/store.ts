import { randomUUID } from 'node:crypto'
import { onTestFinished, test } from 'vitest'
import {
  createControlClient,
  createMemoryStore,
  type EventStore,
  openRedisStore,
  type Standin,
} from '../../src/index.ts'
import { createBalancer } from './servers/haproxy.ts'

const { STANDIN_TEST_STORE: named, STANDIN_TEST_REPLICAS: count = '1', STANDIN_TEST_BALANCER: balancer } = process.env

/**
 * The store that `STANDIN_TEST_STORE` names, once for each of `STANDIN_TEST_REPLICAS`, and another one for each call; none without the variable.
 * It is `memory`, or the address of a server:
 *
 *     STANDIN_TEST_STORE=redis://127.0.0.1:6379 STANDIN_TEST_REPLICAS=3 npx vitest run test/resources
 */
export function storesOfTests(): readonly EventStore[] {
  if (named === undefined) return []
  const [memory, prefix] = [createMemoryStore(), randomUUID()]
  return Array.from({ length: Number(count) }, () =>
    named === 'memory' ? memory : openLater(`${named}?prefix=${prefix}`),
  )
}

/**
 * Replicas as one: each request goes to the next of them, as behind a load balancer. With `STANDIN_TEST_BALANCER=haproxy` those over a connection go
 * through one; those of `fetch` and the control client are made in the process.
 */
export function inTurns(replicas: readonly Standin[]): Standin {
  const [first] = replicas
  if (!first || replicas.length === 1) return first!
  let turn = 0
  const next = () => replicas[turn++ % replicas.length]!
  const fetch: Standin['fetch'] = (...given) => next().fetch(...given)
  const app: Standin['app'] = (request, response) => next().app(request, response)
  return Object.assign(Object.create(first) as Standin, {
    app: balancer === 'haproxy' ? behindHaproxy(replicas) : app,
    fetch,
    control: createControlClient({ url: 'http://localhost', fetch }),
    stop: async () => {
      await Promise.all(replicas.map((one) => one.stop()))
    },
  })
}

/** Supertest takes a server that listens, too. */
function behindHaproxy(replicas: readonly Standin[]): Standin['app'] {
  const { server, stop } = createBalancer(() => Promise.all(replicas.map((one) => one.start())))
  server.listen(0).unref()
  const end = () => {
    stop()
    for (const one of replicas) void one.stop()
  }
  try {
    onTestFinished(end)
  } catch {
    // It is made outside a test, for all tests of the file.
    process.once('exit', end)
  }
  return server as unknown as Standin['app']
}

/** Tests create servers without waiting, so what a server asks of its store waits for the connection. */
function openLater(url: string): EventStore {
  let opened: EventStore | undefined
  const store = openRedisStore(url).then((one) => (opened = one))
  const exchanges = store.then((one) => one.exchanges!)
  return {
    kind: 'redis',
    firstMoment: undefined,
    open: async (...given) => (await store).open(...given),
    list: async () => (await store).list(),
    create: async (...given) => (await store).create(...given),
    read: async (...given) => (await store).read(...given),
    append: async (...given) => (await store).append(...given),
    isLong: (stream) => opened?.isLong(stream) ?? false,
    snapshot: async (...given) => (await store).snapshot(...given),
    reserve: async (...given) => (await store).reserve(...given),
    use: async (...given) => (await store).use(...given),
    remove: async (...given) => (await store).remove(...given),
    close: async () => (await store).close(),
    exchanges: {
      join: async () => (await exchanges).join(),
      begin: async (...given) => (await exchanges).begin(...given),
      add: async (...given) => (await exchanges).add(...given),
      look: async (...given) => (await exchanges).look(...given),
      read: async (...given) => (await exchanges).read(...given),
      clear: async (...given) => (await exchanges).clear(...given),
    },
  }
}

/** A test of what a store promises otherwise, or not at all: docs/replicas.md says what is different. */
export const withoutStore = test.skipIf(named !== undefined)

/** A test of a connection that is reset: a load balancer responds with 502 then. */
export const withoutBalancer = test.skipIf(balancer !== undefined)

/** A test of what each replica has for itself. */
export const withoutReplicas = test.skipIf(Number(count) > 1)
