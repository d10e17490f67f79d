/**
 * The HTTP tests of one process, with nothing changed, over a real Redis server: with one replica, or with several that take turns request by request,
 * behind HAProxy where `scripts/install-load-tools.sh` was run.
 *
 *     node checks/replicas/suite.ts [--replicas 3] [test/resources/file-sets ...]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort, startEngine } from './cluster.ts'

const ALL = ['test/resources', 'test/app', 'test/control', 'test/journal', 'test/engine/faults', 'test/engine/clock']
/** Metrics, rate limits, replays and mail are each replica's own: docs/replicas.md. */
const SHARED = ['test/resources', 'test/engine/faults']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { replicas: { type: 'string', default: '1' } },
})
const tests = positionals.length > 0 ? positionals : values.replicas === '1' ? ALL : SHARED
const isMany = values.replicas !== '1'
const hasBalancer = isMany && spawnSync('haproxy', ['-v']).status === 0
if (isMany && !hasBalancer)
  console.error(
    '\nSKIPPED: there is no HAProxy, so the tests choose a replica for each request. Run scripts/install-load-tools.sh\n',
  )
const directory = mkdtempSync(join(tmpdir(), 'standin-suite-'))
const port = await freePort()
const engine = await startEngine(port, directory)
try {
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...tests], {
    stdio: 'inherit',
    env: {
      ...process.env,
      STANDIN_TEST_STORE: `redis://127.0.0.1:${port}`,
      STANDIN_TEST_REPLICAS: values.replicas,
      ...(hasBalancer ? { STANDIN_TEST_BALANCER: 'haproxy' } : {}),
    },
  })
  process.exitCode = status ?? 1
} finally {
  engine.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
}
