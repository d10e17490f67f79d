/** Runs `build.ts` when `dist/` is missing or older than what it is built from. `npm start` calls it. */
import { globSync, statSync } from 'node:fs'

const SOURCES = ['{src,spec,fixtures,console}/**/*', 'scripts/*.ts', 'package-lock.json']

const changed = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
const newest = Math.max(...SOURCES.flatMap((pattern) => globSync(pattern)).map(changed))
if (changed('dist/cli.js') < newest) await import('./build.ts')
