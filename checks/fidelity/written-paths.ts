import { loadParts } from '../../src/app/setup/load.ts'
import { createConfig } from '../../src/config/create-config.ts'
import { createOperationFinder } from '../../src/contract/router.ts'
import { findApi } from '../../src/truth/learn/contract/api-traffic.ts'
import { findTemplates } from '../../src/truth/learn/contract/path-templates.ts'
import { findService, readHar } from '../../src/truth/recordings/read-har.ts'
import { archiveOf, sentTo } from './sent.ts'
import { documentOf } from './targets.ts'

/**
 * How many of the operations of a service's own document that were used with success have one path in the contract that its recordings show: all
 * their requests below it, and no successful request of another operation.
 */
export function writtenPaths(name: string): { readonly right: number; readonly all: number } {
  const archived = readHar(archiveOf(name, sentTo(name)))
  const values = { contract: documentOf(name), log: 'silent' }
  const { contract } = loadParts(createConfig([{ nameOf: () => name, values }]))
  const find = createOperationFinder(contract.operations)
  const templates = new Map(
    findTemplates(findApi(archived).exchanges).flatMap((template) =>
      template.exchanges.map(({ exchange }) => [exchange.source, template] as const),
    ),
  )
  const sent = findService(archived, contract).exchanges.map(({ source, request, response }) => ({
    operation: find(request.method, request.url)?.operation,
    template: templates.get(source),
    method: request.method,
    isSuccess: response.status < 300,
  }))
  const used = [...Map.groupBy(sent, ({ operation }) => operation)].filter(
    ([operation, own]) => operation && own.some(({ isSuccess }) => isSuccess),
  )
  const right = used.filter(([operation, own]) => {
    const [template, ...others] = new Set(own.map((one) => one.template))
    const isOnly = sent.every(
      (one) =>
        one.template !== template || one.method !== own[0]?.method || one.operation === operation || !one.isSuccess,
    )
    return template !== undefined && others.length === 0 && isOnly
  })
  return { right: right.length, all: used.length }
}
