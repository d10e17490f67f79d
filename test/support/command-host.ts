import { fileURLToPath, pathToFileURL } from 'node:url'
import type { EndedCommand, HostedCommand } from './command.ts'

/**
 * Runs short commands of the built command line, and modules that use the built library, one after the other, each with its own
 * arguments, directory, variables, output and exit code: most of their time is otherwise the start of Node and the loading of modules.
 */
const CLI = new URL('../../dist/cli.js', import.meta.url)
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

let started = 0
let before: Promise<unknown> = Promise.resolve()
process.on('message', ({ id, ...command }: HostedCommand & { id: number }) => {
  before = before.then(async () => process.send?.({ id, ...(await endOf(command)) }))
})
process.on('disconnect', process.exit.bind(process, 0))

async function endOf({ module, args, cwd, env }: HostedCommand): Promise<EndedCommand> {
  const url = module === undefined ? CLI : pathToFileURL(module)
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, env)
  process.argv = [process.execPath, fileURLToPath(url), ...args]
  process.exitCode = undefined
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (chunk: string | Uint8Array) => {
      written[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      return true
    }
  const exited = new Promise<number>((resolve) => {
    process.exit = (code) => {
      resolve(Number(code ?? process.exitCode ?? 0))
      throw new Error('The command ended itself.')
    }
  })
  const code = await Promise.race([
    exited, // Another address for each, so that it runs again; what it imports stays loaded.
    import(`${url.href}?${++started}`).then(() => Number(process.exitCode ?? 0)),
  ])
  for (const signal of SIGNALS) process.removeAllListeners(signal)
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error')
  return { code, ...written }
}
