import type { Planned, Responder, SeenResponse } from '../../resend/responder.ts'
import { type Case, listsIn } from '../case.ts'
import type { Contract, Operation, Parameter } from '../../../contract/contract.ts'
import { isObject } from '../../../base/formats/json.ts'
import { alignItems } from '../../recordings/differences/align-items.ts'

/** Requests that read, for any contract: lists and their parameters, items, and what does not exist. */
export function contractCases({ operations }: Contract): Case[] {
  const reading = operations.filter(({ method }) => method === 'GET')
  return [...reading.filter(isOpen).flatMap(listCases), ...reading.flatMap((one) => itemCases(one, reading))]
}

const ID = /\/\{[^{}/]+\}$/

function pathOf({ basePath, path }: Operation): string {
  return basePath + path
}

function isOpen(operation: Operation): boolean {
  return !pathOf(operation).includes('{')
}

function get(url: string): Planned {
  return { method: 'GET', url, headers: [{ name: 'Accept', value: 'application/json' }] }
}

function reads(name: string, about: string, requests: readonly Planned[]): Case {
  return {
    name,
    about: about.split(' '),
    writes: false,
    *steps() {
      yield* requests
    },
  }
}

function listCases(operation: Operation): Case[] {
  const path = pathOf(operation)
  const parameters = operation.parameters.filter((one) => one.in === 'query')
  return [
    reads(`GET ${path}`, 'collections.order collections.page-size collections.next-page', [get(path)]),
    ...parameters.flatMap((one) => {
      const values = valuesOf(one)
      const urls = values.map((value) => get(`${path}?${encodeURIComponent(one.name)}=${encodeURIComponent(value)}`))
      return values.length === 0 ? [] : [reads(`GET ${path} with ${one.name}`, ABOUT_PARAMETERS, urls)]
    }),
    reads(`GET ${path} with an unknown parameter`, 'http.unknown-query', [get(`${path}?unknown-parameter=1`)]),
  ]
}

const ABOUT_PARAMETERS = 'collections.page-beyond collections.unknown-filter collections.token collections.next-page'

/** Values that a parameter allows, and for numbers one that is far beyond. */
function valuesOf({ schema, type }: Parameter): string[] {
  const members = isObject(schema) && Array.isArray(schema.enum) ? schema.enum.slice(0, 3).map(String) : []
  if (members.length > 0) return members
  if (type === 'integer') return ['1', '2', '1000', '0']
  return type === 'boolean' ? ['true', 'false'] : []
}

/** The first item of a list, and one that does not exist. */
function itemCases(operation: Operation, reading: readonly Operation[]): Case[] {
  const path = pathOf(operation)
  const listed = path.replace(ID, '')
  const parent = reading.find((one) => pathOf(one) === listed)
  if (!ID.test(path) || listed.includes('{')) return []
  return [
    reads(`GET ${path} of nothing`, 'collections.unknown-parent', [get(`${listed}/999999999`)]),
    ...(parent === undefined
      ? []
      : [
          {
            name: `GET ${path} of the first in the list`,
            about: [],
            writes: false,
            *steps(): Generator<Planned, void, SeenResponse> {
              const { json } = yield get(listed)
              const id = firstId(json)
              if (id !== undefined) yield get(`${listed}/${encodeURIComponent(id)}`)
            },
          },
        ]),
  ]
}

/** Whether the lists of two services have the same items: an id alone does not say it, as many count from 1. */
export async function haveSameItems({ operations }: Contract, one: Responder, other: Responder): Promise<boolean> {
  for (const operation of operations.filter((each) => each.method === 'GET' && isOpen(each))) {
    const [ours, theirs] = [await one.send(get(pathOf(operation))), await other.send(get(pathOf(operation)))]
    const [items, others] = [itemsOf(ours.json), itemsOf(theirs.json)]
    if (items.length > 0 && others.length > 0 && !alignItems(items, others).areAlike) return false
  }
  return true
}

function itemsOf(json: unknown): readonly unknown[] {
  return listsIn(json)[0] ?? []
}

function firstId(json: unknown): string | undefined {
  const [first] = itemsOf(json)
  if (!isObject(first)) return undefined
  const id = first.id ?? Object.entries(first).find(([name]) => /id$/i.test(name))?.[1]
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}
