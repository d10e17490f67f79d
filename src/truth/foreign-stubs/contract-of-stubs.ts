import { isJson } from '../../contract/media-type.ts'
import { asObject, type Members } from '../../base/formats/json.ts'
import { describeCollection } from './describe-collection.ts'
import type { ForeignCollection, ForeignResponse, ForeignSegment, ForeignStub } from './foreign-stub.ts'
import { pathOf } from './place-stubs.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** A contract for stubs that came without one: their paths and statuses, with their bodies as examples. It says nothing of their schemas. */
export function contractOf(stubs: readonly ForeignStub[], collections: readonly ForeignCollection[]): Members {
  const paths: Record<string, Record<string, Members>> = {}
  // The most open ones come first: a path that one of them covers is no path of its own, or it would hide the stubs of that one.
  const opened = stubs.map(({ path }) => path).toSorted((a, b) => parametersIn(b) - parametersIn(a))
  for (const { method, path, respond } of stubs) {
    const template = pathOf(opened.find((one) => covers(one, path)) ?? path)
    const item = (paths[template] ??= {})
    for (const verb of method === undefined ? METHODS.slice(0, 5) : [method]) {
      const name = verb.toLowerCase()
      item[name] = operationOf(item[name] ?? newOperation(verb, template), respond, verb)
    }
  }
  const described = collections.map(describeCollection)
  for (const own of described)
    for (const [path, item] of Object.entries(own.paths)) paths[path] = { ...item, ...paths[path] }
  return {
    openapi: '3.1.0',
    info: { title: 'Imported', version: '1' },
    paths,
    ...(described.length === 0
      ? {}
      : { components: { schemas: Object.assign({}, ...described.map(({ schemas }) => schemas)) as Members } }),
  }
}

function parametersIn(path: readonly ForeignSegment[]): number {
  return path.filter((segment) => typeof segment !== 'string').length
}

function covers(open: readonly ForeignSegment[], path: readonly ForeignSegment[]): boolean {
  return open.length === path.length && open.every((segment, at) => typeof segment !== 'string' || segment === path[at])
}

function newOperation(verb: string, template: string): Members {
  const names = [...template.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)
  return {
    operationId: idOf(verb, template),
    ...(names.length === 0
      ? {}
      : { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })) }),
    ...(['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(verb)
      ? {}
      : {
          requestBody: { content: { 'application/json': {}, 'application/x-www-form-urlencoded': {}, 'text/*': {} } },
        }),
    responses: {},
    // What is imported is what is asked for: nothing is remembered.
    'x-standin': 'generated',
  }
}

/** `getOrdersById` */
function idOf(verb: string, template: string): string {
  const words = template.replaceAll(/\{([^}]*)\}/g, 'by $1').split(/[^A-Za-z\d]+/)
  const name = words.filter(Boolean).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return verb.toLowerCase() + name.join('')
}

function operationOf(operation: Members, respond: readonly ForeignResponse[], verb: string): Members {
  const responses = { ...asObject(operation.responses) }
  for (const { status, body, contentType } of respond) {
    const type = contentType ?? (typeof body === 'string' ? 'text/plain' : 'application/json')
    const content =
      body === undefined || verb === 'HEAD' ? {} : { content: { [type.split(';')[0] ?? type]: example(body, type) } }
    responses[status] ??= { description: 'Imported.', ...content }
  }
  return { ...operation, responses }
}

function example(body: unknown, type: string): Members {
  return isJson(type) ? { schema: {} } : { schema: { type: 'string' }, example: body }
}
