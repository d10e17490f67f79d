import { isObject } from '../../src/base/formats/json.ts'
import { documentedBody } from '../public-documents/body.ts'
import { flawOf } from '../public-documents/judge.ts'
import type { PublicOperation, Values } from '../public-documents/read-contract.ts'
import { differenceBetween, isEnvelope, type Located, locateItem, placed, successSchema } from './item.ts'
import { isServers, propertiesOf } from './schemas.ts'
import type { Exchange, Session } from './session.ts'

/** Where an item that was read differs from what was written, in words; undefined where it does not. */
export function agrees(
  session: Session,
  read: Exchange,
  written: unknown,
  by: 'client' | 'server' = 'client',
): string | undefined {
  // A response whose body the document leaves out shows nothing.
  if (!isObject(written) || read.response.text === '') return undefined
  const { document } = session.contract
  // What is written may have an envelope that what is read has not, and the other way round.
  const [item, part] = [...(isEnvelope(written) ? [] : [written]), ...Object.values(written).filter(isObject)]
    .map((one): [Located, Values] => [located(session, read, Object.keys(one)), one])
    .reduce((best, one) => (shared(one) > shared(best) ? one : best))
  const pointer = differenceBetween(document, part, item, {
    allows: (path, value) => allows(session, read, path, value),
    isServers: by === 'client' ? (name, schema) => isServers(document, name, schema) : undefined,
  })
  if (pointer === undefined) return undefined
  const names = pointer.split('/').slice(1)
  const at = (value: unknown) => {
    const held = names.reduce(memberOf, value)
    return held === undefined ? 'absent' : JSON.stringify(held).slice(0, 80)
  }
  return `${pointer} is ${at(item.value)} and was written as ${at(part)}`
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Values)[name] : undefined
}

function shared([{ value }, part]: readonly [Located, Values]): number {
  return Object.keys(part).filter((name) => name in value).length
}

/** The item in what was read, by the members that an operation writes. */
export function locatedIn(session: Session, read: Exchange, operation: PublicOperation): Located {
  const { document } = session.contract
  const schema = documentedBody(document, operation)?.media.schema
  return located(session, read, [...propertiesOf(document, schema).keys()])
}

function located(session: Session, { operation, json }: Exchange, names: readonly string[]): Located {
  const { document } = session.contract
  return locateItem(document, successSchema(document, operation.operation), json, names)
}

/** Whether what was read documents a member of an item, and may show this value there. */
export function shows(
  session: Session,
  read: Exchange,
  item: Located,
  path: readonly string[],
  value: unknown,
): boolean {
  const { document } = session.contract
  const schema = path.reduce<unknown>((held, name) => propertiesOf(document, held).get(name), item.schema)
  return schema !== undefined && allows(session, read, [...item.path, ...path], value)
}

function allows(session: Session, read: Exchange, path: readonly string[], value: unknown): boolean {
  const text = JSON.stringify(placed(read.json, path, value))
  return flawOf(session.contract, read.operation, { ...read.response, text }, session.allowsResponse) === undefined
}
