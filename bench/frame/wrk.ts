/** wrk, a load generator in C, where it is installed: the other one, autocannon, is itself limited by Node. */
import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Counted, Load } from './load.ts'

/** The version that is installed; undefined where there is none. */
export function versionOfWrk(): string | undefined {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'pipe' })
    return 'installed'
  } catch (error) {
    // It prints its version and its usage, and exits with 1.
    const { stdout } = error as { stdout?: Buffer }
    return stdout && /wrk (?:debian\/)?([\d.]+)/.exec(stdout.toString())?.[1]
  }
}

/** Throws when one request failed, timed out, or was answered with anything but success. */
export async function runWrk(
  { port, ask, bodies, firstMoment, connections, seconds = 1 }: Load,
  folder: string,
): Promise<Counted> {
  const script = join(folder, 'wrk.lua')
  writeFileSync(script, writeScript(ask, bodies ?? [ask.body ?? ''], firstMoment ?? 0))
  const url = `http://127.0.0.1:${port}${ask.path}`
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, url]
  const { stdout } = await promisify(execFile)('wrk', options)
  const counted = JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? 'null') as Counted | null
  if (!counted) throw new Error(`wrk printed no counts: ${stdout.slice(-200)}`)
  if (counted.errors + counted.timeouts + counted.non2xx > 0)
    throw new Error(`under load: ${counted.errors} errors, ${counted.timeouts} timeouts, ${counted.non2xx} no success`)
  return counted
}

function writeScript({ method, headers }: Load['ask'], bodies: readonly string[], firstMoment: number): string {
  const quoted = (text: string) => `[==[${text}]==]`
  return [
    `wrk.method = ${quoted(method)}`,
    ...Object.entries(headers).map(([name, value]) => `wrk.headers[ ${quoted(name)} ] = ${quoted(value)}`),
    `local bodies = {${bodies.map(quoted).join(', ')}}`,
    'local turn = 0',
    `local first = ${firstMoment}`,
    'local function moment(ms)',
    `  return os.date("!%Y-%m-%dT%H:%M:%S", math.floor(ms / 1000)) .. string.format(".%03dZ", ms % 1000)`,
    'end',
    bodies.length === 1
      ? 'wrk.body = bodies[1]'
      : `request = function()
  turn = turn + 1
  local body = bodies[turn % #bodies + 1]:gsub("@NEW%-MOMENT@", function() return moment(first + turn) end)
  return wrk.format(nil, nil, nil, body)
end`,
    `done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"duration":%f,"answered":%d,"errors":%d,"timeouts":%d,"non2xx":%d,"p50":%f,"p99":%f,"p999":%f}\\n',
    summary.duration / 1e6, summary.requests, errors.connect + errors.read + errors.write, errors.timeout, errors.status,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency:percentile(99.9) / 1000))
end`,
  ].join('\n')
}
