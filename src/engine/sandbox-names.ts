import { sandboxExists, sandboxNameInvalid, sandboxNotFound, tooManySandboxes } from '../base/errors/control-errors.ts'
import { type Problem, shown, StartupError } from '../base/errors/problem.ts'
import { counted, didYouMean } from '../base/errors/wording.ts'

export const DEFAULT_SANDBOX = 'default'

/** No separators and no dot in front, so that a name is also a good part of a path and of a file's name. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/

export function isSandboxName(name: string): boolean {
  return NAME.test(name)
}

export function refuseBadName(name: string): void {
  if (isSandboxName(name)) return
  const expected = '1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen, not beginning with a dot'
  throw sandboxNameInvalid({
    detail: `The name of a sandbox is ${expected}; got ${shown(name)}. In a key it is what follows the last @.`,
  })
}

export function unknownSandbox(name: string, all: ReadonlyMap<string, unknown>): Problem {
  return sandboxNotFound({
    detail:
      `There is no sandbox ${shown(name)}.${didYouMean(name, all.keys())}` +
      ' GET /__mock/sandboxes lists them; POST /__mock/sandboxes makes one.',
  })
}

export function nameTaken(name: string): Problem {
  const remedy = name === DEFAULT_SANDBOX ? '.' : `, or DELETE /__mock/sandboxes/${name} first.`
  return sandboxExists({
    detail: `There is a sandbox ${name} already. Take another name${remedy}`,
  })
}

export function sandboxLimitReached(most: number, all: ReadonlyMap<string, unknown>): Problem {
  const oldest = [...all.keys()].find((name) => name !== DEFAULT_SANDBOX)
  const remedy = oldest === undefined ? '' : ` Free one with DELETE /__mock/sandboxes/${oldest} (the oldest).`
  return tooManySandboxes({
    detail: `There ${all.size === 1 ? 'is' : 'are'} ${counted(all.size, 'sandbox', 'sandboxes')}; ${allowed(most)}.${remedy} Allow more with --max-sandboxes, or let unused ones expire with --sandbox-ttl 1h.`,
  })
}

function allowed(most: number): string {
  return most === 1 ? 'one is allowed' : `${most} are allowed`
}

export function tooManyFound(most: number, found: number): StartupError {
  return new StartupError([
    `There are ${counted(found, 'sandbox', 'sandboxes')}; ${allowed(most)}. Allow more with --max-sandboxes.`,
  ])
}
