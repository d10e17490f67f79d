import type { Binding, Bindings } from './binding.ts'
import type { Contract } from './contract/contract.ts'

/** A request to begin with, as a command line: the search where the contract has one, else what can be asked with nothing but a path. */
export function exampleRequest({ keyHeader, basePath }: Contract, bindings: Bindings, key: string) {
  const all = [...bindings.values()]
  const search = all.find((binding) => binding.kind === 'stateful' && binding.role === 'searchFiles')
  const answered = all.filter(({ kind }) => kind !== 'refused')
  const simple = answered.find(needsNothing) ?? answered.find(({ operation }) => operation.method === 'GET')
  const chosen = search ?? simple ?? all[0]
  return (url: string): string => {
    if (!chosen) return `curl ${url}`
    const { method } = chosen.operation
    const target = `'${url}${basePath}${pathOf(chosen)}`
    const head = `curl -H '${keyHeader}: ${key}'`
    if (chosen !== search) return `${head}${method === 'GET' ? '' : ` -X ${method}`} ${target}'`
    const body = '{"filters":[{"field":"name","operator":"LIKE","value":["budget"]}]}'
    return `${head} -H 'Content-Type: application/json' ${target}?limit=3' -d '${body}'`
  }
}

/** Whether a path is all that it takes, and nothing is changed by it. */
function needsNothing({ operation: { method, parameters } }: Binding): boolean {
  return method === 'GET' && parameters.every((parameter) => parameter.in === 'path' || !parameter.required)
}

/** The path with something in the place of each parameter. */
function pathOf(binding: Binding): string {
  const own = binding.kind === 'stateful' ? binding.parameter : undefined
  return binding.operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => (name === own ? 'demo' : '1'))
}
