import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '@redis/client'
import { HAS_REDIS, type RedisServer, startRedis } from '../../support/servers/redis-server.ts'
import { createStandin, openRedisStore, StartupError } from '../../../src/index.ts'
import { startOldRedis } from '../../support/servers/old-redis-server.ts'
import { startCommand } from '../../support/command.ts'
import { KEY_HEADER, SCHEDULES, weekly } from '../../support/tester.ts'
import { describeExchanges, describeSharedStore, describeStore, FINGERPRINT, type Place } from './conformance.ts'
import { describeReplicas } from './replicas.ts'
import { describeSessionJournal, describeSessions } from './sessions.ts'

describe.skipIf(!HAS_REDIS)('a real server', () => {
  let server: RedisServer
  let prefixes = 0
  const urlOfOwn = () => `${server.url}?prefix=p${prefixes++}`

  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())

  const inRedis = (): Place => {
    const url = urlOfOwn()
    return { open: () => openRedisStore(url), remove: () => undefined }
  }

  describeStore('redis', inRedis)
  describeSharedStore('redis', inRedis)
  describeExchanges('redis', inRedis)
  const shared = () => {
    const url = urlOfOwn()
    return Promise.resolve(() => openRedisStore(url))
  }
  describeReplicas('redis', shared)
  describeSessions('redis', shared)
  describeSessionJournal('redis', shared)

  /** What `standin serve` says of a store that it refuses. */
  async function refusalOf(url: string): Promise<string> {
    const refused = startCommand(['serve', '--port', '0', '--files', '0', '--store', url])
    onTestFinished(() => void refused.child.kill())
    expect(await Promise.race([refused.ended, refused.until(/http:/).then(() => 'it started')])).toBe(1)
    return refused
      .stderr()
      .trim()
      .replace(/^standin: /, '')
  }

  async function keysOf(url: string) {
    const client = createClient({ url: url.split('?')[0] ?? '' })
    client.on('error', () => undefined)
    await client.connect()
    onTestFinished(() => client.destroy())
    return client
  }

  test('another program or a newer Standin under the prefix refuses a start with one message, and nothing is written', async () => {
    const client = await keysOf(server.url)
    await client.hSet('{foreign}:sandboxes', 'a', 'b')
    await client.hSet('{newer}:meta', {
      format: 'standin-store',
      version: '2',
      fingerprint: JSON.stringify(FINGERPRINT),
    })
    await client.set('{text}:meta', 'x')
    await client.set('{other[1]}:users:7', 'x')
    const written = async () => ({
      keys: (await client.keys('*')).toSorted(),
      changes: /rdb_changes_since_last_save:\d+/.exec(await client.info('persistence'))?.[0],
    })
    const before = await written()
    const keys = 'are keys of another program. Name another prefix: ?prefix=standin-2.'
    for (const [prefix, message] of [
      ['foreign', `{foreign}:* ${keys}`],
      ['text', `{text}:* ${keys}`],
      ['other[1]', `{other[1]}:* ${keys}`],
      [
        'newer',
        '{newer}:* are of version 2, and this Standin reads version 1. Use the Standin that made them, or another prefix.',
      ],
    ] as const)
      expect(await refusalOf(`${server.url}?prefix=${prefix}`)).toBe(`--store ${server.url}: ${message}`)
    expect(await written()).toEqual(before)
  })

  test('a server that is too old, a wrong address and a wrong password refuse a start with one message', async () => {
    const old = await startOldRedis('6.2.0')
    onTestFinished(old.stop)
    expect(await refusalOf(old.url)).toBe(
      `--store ${old.url}: the server is Redis 6.2.0. Use Valkey, or Redis 7 or later.`,
    )
    expect(old.commands.filter((name) => !['CLIENT', 'HELLO', 'INFO'].includes(name))).toEqual([])
    const nothing = 'redis://127.0.0.1:1'
    expect(await refusalOf(nothing)).toBe(
      `--store ${nothing}: there is no Valkey or Redis (connect ECONNREFUSED 127.0.0.1:1). Start one there, or name another address.`,
    )
    const guarded = await startRedis('--requirepass', 'right-one')
    onTestFinished(() => guarded.stop())
    expect(await refusalOf(guarded.url.replace('//', '//:wrong-one@'))).toBe(
      `--store ${guarded.url}: the server refuses the user or the password. Set STANDIN_STORE_USER and STANDIN_STORE_PASSWORD.`,
    )
    const client = createClient({ url: guarded.url.replace('//', '//:right-one@') })
    await client.connect()
    onTestFinished(() => client.destroy())
    expect(await client.keys('*')).toEqual([])
  })

  test('an address where nothing answers is refused, without user and password', async () => {
    const refused = openRedisStore('redis://someone:secret@127.0.0.1:1')
    await expect(refused).rejects.toThrow(StartupError)
    await expect(refused).rejects.toThrow(/^--store redis:\/\/127\.0\.0\.1:1: there is no Valkey or Redis/)
  })

  test('a server that evicts keys is refused, and so is a wrong password', async () => {
    const evicting = await startRedis('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru')
    onTestFinished(() => evicting.stop())
    await expect(openRedisStore(evicting.url)).rejects.toThrow(
      /removes keys when its memory is full \(maxmemory-policy allkeys-lru\)/,
    )
    const guarded = await startRedis('--requirepass', 'right-one')
    onTestFinished(() => guarded.stop())
    for (const url of [guarded.url, guarded.url.replace('//', '//:wrong-one@')])
      await expect(openRedisStore(url)).rejects.toThrow(/the server refuses the user or the password/)
    const store = await openRedisStore(guarded.url.replace('//', '//:right-one@'))
    await store.close()
  })

  test('a server without an append-only file is noted', async () => {
    const plain = await startRedis('--appendonly', 'no')
    onTestFinished(() => plain.stop())
    const notes: string[] = []
    await (await openRedisStore(plain.url, { note: (text) => notes.push(text) })).close()
    expect(notes.join()).toMatch(/writes no append-only file/)
  })

  test('--store-durability always refuses a server that may lose what it acknowledged', async () => {
    const lossy = await startRedis('--appendfsync', 'everysec')
    onTestFinished(() => lossy.stop())
    const args = ['serve', '--port', '0', '--files', '0', '--store-durability', 'always', '--store']
    const refused = startCommand([...args, lossy.url])
    expect(await refused.ended).toBe(1)
    expect(refused.stderr()).toMatch(
      /always needs a server .*; this one has appendonly yes and appendfsync everysec\. Set both/,
    )
    const safe = await startRedis('--appendfsync', 'always')
    onTestFinished(() => safe.stop())
    const command = startCommand([...args, safe.url])
    await command.until(/http:\/\/\S+ \(/)
    command.child.kill('SIGTERM')
    expect(await command.ended).toBe(0)
  })

  test('a replica that is stopped by SIGTERM under load loses no acknowledged request, and no exchange', async () => {
    const url = urlOfOwn()
    const other = createStandin({ store: await openRedisStore(url), files: 0, documents: 0 })
    onTestFinished(() => other.stop())
    const acknowledged: string[] = []
    for (let round = 0; round < 5; round++) {
      const command = startCommand(['serve', '--port', '0', '--files', '0', '--documents', '0', '--store', url])
      await command.until(/http:\/\/\S+ \(/)
      const address = /http:\/\/[\d.:]+/.exec(command.stdout())?.[0] ?? ''
      let isOver = false
      const clients = Array.from({ length: 8 }, async (_, client) => {
        for (let sent = 0; !isOver; sent++) {
          const title = `${round}-${client}-${sent}`
          const headers = { [KEY_HEADER]: 'key', 'content-type': 'application/json' }
          const asked = { method: 'POST', headers, body: JSON.stringify(weekly({ title })) }
          const response = await fetch(`${address}${SCHEDULES}`, asked).catch(() => undefined)
          if (response?.status !== 200) return
          acknowledged.push(title)
        }
      })
      await expect.poll(() => acknowledged.length, { timeout: 10_000 }).toBeGreaterThan(60 * (round + 1))
      command.child.kill('SIGTERM')
      expect(await command.ended).toBe(0)
      isOver = true
      await Promise.all(clients)
    }
    const { reportSchedules } = await other.control.listReportSchedules()
    const stored = new Set(reportSchedules.map(({ title }) => title).filter((title) => /^\d-\d-\d+$/.test(title)))
    expect(acknowledged.filter((title) => !stored.has(title))).toEqual([])
    const expectation = { match: { operationId: 'createReportSchedule', status: 200 }, exactly: stored.size }
    expect(acknowledged.length).toBeLessThanOrEqual(stored.size)
    expect(await other.control.verifyJournal({ expectations: [expectation] })).toMatchObject({
      forgotten: 0,
      passed: true,
    })
  })

  test('while the server is away requests are refused with 503, and after its restart everything is there', async () => {
    const own = await startRedis('--appendfsync', 'always')
    onTestFinished(() => own.stop())
    const standin = createStandin({ store: await openRedisStore(own.url), files: 3 })
    onTestFinished(() => standin.stop())
    await standin.control.createCheckpoint({ name: 'before' })
    await own.kill()
    const started = performance.now()
    await expect(standin.control.createCheckpoint({ name: 'lost' })).rejects.toMatchObject({ status: 503 })
    const response = await standin.fetch('/api/files/v1/filesets/demo/files/search', { method: 'POST', body: '{}' })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(performance.now() - started).toBeLessThan(10_000)
    await own.restart()
    await expect.poll(async () => (await standin.fetch('/__mock/clock')).status, { timeout: 5000 }).toBe(200)
    const { checkpoints } = await standin.control.listCheckpoints()
    expect(checkpoints.map(({ name }) => name)).toEqual(['before'])
  })

  test('while the server hangs requests are refused with 503 in seconds, and afterwards what was stored is there once', async () => {
    const own = await startRedis('--appendfsync', 'always')
    onTestFinished(() => own.stop())
    const standin = createStandin({ store: await openRedisStore(own.url), files: 3 })
    onTestFinished(() => standin.stop())
    await standin.control.createCheckpoint({ name: 'before' })
    own.process.kill('SIGSTOP')
    onTestFinished(() => void own.process.kill('SIGCONT'))
    const started = performance.now()
    await expect(standin.control.createCheckpoint({ name: 'lost' })).rejects.toMatchObject({ status: 503 })
    expect(performance.now() - started).toBeLessThan(15_000)
    own.process.kill('SIGCONT')
    await expect.poll(async () => (await standin.fetch('/__mock/clock')).status, { timeout: 10_000 }).toBe(200)
    await standin.control.createCheckpoint({ name: 'after' })
    const { checkpoints } = await standin.control.listCheckpoints()
    expect(checkpoints.map(({ name }) => name)).toEqual(['before', 'after'])
  })

  test('a journal that a restart of the server may have cut short verifies nothing until it begins again', async () => {
    const expectation = { expectations: [{ match: { operationId: 'searchFiles' }, exactly: 0 }] }
    for (const [fsync, isRefused] of [
      ['everysec', true],
      ['always', false],
    ] as const) {
      const own = await startRedis('--appendfsync', fsync)
      onTestFinished(() => own.stop())
      const standin = createStandin({ store: await openRedisStore(own.url), files: 3 })
      onTestFinished(() => standin.stop())
      expect(await standin.control.verifyJournal(expectation)).toMatchObject({ passed: true })
      // On a busy disk the server puts off what it writes, and would lose the sandbox as a whole.
      const client = await keysOf(own.url)
      await expect.poll(() => client.info('persistence')).toContain('aof_buffer_length:0')
      await own.kill()
      await own.restart()
      await expect.poll(async () => (await standin.fetch('/__mock/clock')).status, { timeout: 5000 }).toBe(200)
      const asked = standin.control.verifyJournal(expectation)
      if (isRefused)
        await expect(asked).rejects.toThrow(/^The server of the store was restarted since the journal began.* Reset/)
      else expect(await asked).toMatchObject({ passed: true })
      await standin.control.deleteJournal()
      expect(await standin.control.verifyJournal(expectation)).toMatchObject({ passed: true })
    }
  })

  test('a connection that is cut at any moment loses no acknowledged change, and stores none twice', async () => {
    const client = await keysOf(server.url)
    const standin = createStandin({ store: await openRedisStore(urlOfOwn()), files: 0 })
    onTestFinished(() => standin.stop())
    const acknowledged: string[] = []
    for (let round = 0; round < 40; round++) {
      const names = [0, 1, 2].map((one) => `c${round}-${one}`)
      // Settled from the beginning: one may fail while the others are cut.
      const asked = Promise.allSettled(
        names.map((name) => standin.control.addFiles('empty', [{ path: name }]).then(() => acknowledged.push(name))),
      )
      if (round % 2 === 0) await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
      await asked
    }
    await expect.poll(async () => (await standin.fetch('/__mock/clock')).status).toBe(200)
    const { events } = await standin.control.getHistory({ limit: 1000 })
    const stored = events
      .flatMap((event) => (event as { files?: readonly { path: string }[] }).files ?? [])
      .map(({ path }) => path)
    expect(new Set(stored).size).toBe(stored.length)
    for (const name of acknowledged) expect(stored).toContain(name)
    expect(acknowledged.length).toBeGreaterThan(100)
  })

  test('a server that lost its latest commits, and has others of the same numbers, is read again', async () => {
    const url = urlOfOwn()
    const client = await keysOf(server.url)
    const [a, b] = [
      createStandin({ store: await openRedisStore(url), files: 0 }),
      createStandin({ store: await openRedisStore(url), files: 0 }),
    ]
    for (const name of ['one', 'two', 'lost']) await a.control.createCheckpoint({ name })
    const [log] = await client.keys(`{${url.split('=')[1] ?? ''}}:1:log`)
    await client.xDel(log ?? '', '0-3')
    await client.sendCommand(['XSETID', log ?? '', '0-2'])
    await b.control.createCheckpoint({ name: 'other' })
    const names = async (one: typeof a) => (await one.control.listCheckpoints()).checkpoints.map(({ name }) => name)
    expect(await names(b)).toEqual(['one', 'two', 'other'])
    expect(await names(a)).toEqual(['one', 'two', 'other'])
    await a.stop()
    await b.stop()
  })
})
