import { asObject, isObject } from '../base/formats/json.ts'
import type { MergedSchema } from './merge-schema.ts'
import { plainName } from '../base/formats/names.ts'

/** Members that say what an object is, so that all objects of a schema have the same. */
const SAYS_WHAT = new Set(['kind', 'object', 'apiversion', 'resourcetype', 'typename', 'objecttype', 'entitytype'])

/** `Always "list".`, `Value: the fixed string "drive#file"`, `Has the value list`. */
const ALWAYS = /\b(?:always|fixed string|the value|must be|value:?)\s*[:=]?\s*["'`“]+([\w#.:/-]{2,60})["'`”]/i

/**
 * What a member such as `kind` always is: by its default, by its description, or by the name of the schema, as in Kubernetes and FHIR;
 * undefined for other members.
 *
 * @param holder the schema of the object that has it
 * @param owner the name of that schema
 */
export function constantOf(name: string, schema: unknown, holder: MergedSchema, owner: string): string | undefined {
  const plain = plainName(name)
  if (!SAYS_WHAT.has(plain) || !isObject(schema) || schema.const !== undefined || schema.enum !== undefined)
    return undefined
  if (schema.type !== 'string' || schema.pattern !== undefined || schema.example !== undefined) return undefined
  const { default: byDefault, description } = schema
  if (typeof byDefault === 'string' && byDefault !== '') return byDefault
  const named = typeof description === 'string' ? ALWAYS.exec(description)?.[1] : undefined
  return named ?? byHolder(plain, holder, owner)
}

function byHolder(plain: string, holder: MergedSchema, owner: string): string | undefined {
  const extension = holder['x-kubernetes-group-version-kind']
  const first: unknown = Array.isArray(extension) ? extension[0] : extension
  const { group, version, kind } = asObject(first)
  // `io.k8s.api.apps.v1.Deployment`
  const [, namedGroup = '', namedVersion, last = owner] = /([\w-]+)\.(v\d\w*)\.(\w+)$/.exec(owner) ?? []
  const isResource = kind !== undefined || namedVersion !== undefined
  if (plain === 'apiversion') {
    const number = version ?? namedVersion
    const family = kind === undefined ? namedGroup.replace(/^core$/, '') : group
    return typeof number === 'string' ? [family, number].filter(Boolean).join('/') : undefined
  }
  if (
    plain === 'kind' &&
    !isResource &&
    !Object.keys(holder.properties ?? {}).some((name) => plainName(name) === 'apiversion')
  )
    return undefined
  if (plain === 'object' || last === '') return undefined
  return typeof kind === 'string' ? kind : last
}
