import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDirectory } from './command.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Copies of examples in a project that has what the package holds, and the runners of this checkout. */
export function createProject(examples: readonly string[]): { readonly path: string; remove(): void } {
  const project = createDirectory({ 'package.json': '{ "type": "module" }' })
  const standin = join(project.path, 'node_modules', 'standin')
  mkdirSync(standin, { recursive: true })
  for (const name of ['dist', 'spec', 'fixtures', 'package.json'])
    cpSync(join(ROOT, name), join(standin, name), { recursive: true })
  for (const name of ['vitest', 'msw', '@playwright', 'playwright', 'playwright-core'])
    symlinkSync(join(ROOT, 'node_modules', name), join(project.path, 'node_modules', name))
  for (const name of examples) cpSync(join(ROOT, 'examples', name), join(project.path, name), { recursive: true })
  return project
}

/** A runner reads from its environment that it runs within another, and a stand-in its settings. */
export function plainEnvironment(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|STANDIN|NODE_|TEST|CI$|FORCE_COLOR)/.test(name),
  )
  return { ...Object.fromEntries(kept), NO_COLOR: '1', ...env }
}
