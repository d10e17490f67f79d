/** A lint rule: a type name is declared once in a folder, so a search for it finds one meaning. */
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Rule } from 'eslint'

/** Declarations at the top of a module. Those in `declare module` are indented: they repeat a name to add to it. */
const DECLARATION = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm

export function declaredOnce(folder: string): Rule.RuleModule {
  let places: ReadonlyMap<string, readonly Place[]> | undefined
  return {
    meta: { type: 'suggestion', schema: [] },
    create(context) {
      const { cwd, filename, sourceCode } = context
      const known = (places ??= readPlaces(cwd, folder))
      const own = relative(cwd, filename)
      const report = (name: string, index: number) => {
        const other = known.get(name)?.find(({ file }) => file !== own)
        if (!other) return
        const message = `${name} is declared in ${other.file}:${other.line} too. Import that type, or choose a name that says what this one is.`
        context.report({ loc: sourceCode.getLocFromIndex(index), message })
      }
      return {
        Program() {
          for (const { 1: name = '', index } of sourceCode.text.matchAll(DECLARATION)) report(name, index)
        },
      }
    },
  }
}

interface Place {
  readonly file: string
  readonly line: number
}

/** Where each name is declared. It is read once for all files, so an editor has to restart ESLint to see what changed since. */
function readPlaces(cwd: string, folder: string): ReadonlyMap<string, readonly Place[]> {
  const declarations = globSync(`${folder}/**/*.ts`, { cwd }).flatMap((file) => {
    const text = readFileSync(join(cwd, file), 'utf8')
    return [...text.matchAll(DECLARATION)].map(({ 1: name = '', index }) => ({
      name,
      file,
      line: text.slice(0, index).split('\n').length,
    }))
  })
  return Map.groupBy(declarations, ({ name }) => name)
}
