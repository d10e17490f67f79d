import { onlyValue, type Shape } from '../../../contract/schemas/shape.ts'
import { isObject, type Members } from '../../../base/formats/json.ts'

/** The value that a member has wherever the service writes it: the only one that it may have, or its default. */
export function saidValue({ keywords }: Shape): unknown {
  return onlyValue(keywords) ?? keywords.default
}

/**
 * The `apiVersion` and the `kind` of an object whose schema is that of one kind. API servers of Kubernetes, of OpenShift and of custom
 * resources document the kind beside the schema, and write both members also where a client leaves them out.
 */
export function kindMembers({ keywords, properties }: Shape): Members {
  const said = keywords['x-kubernetes-group-version-kind']
  const [kind, ...others] = Array.isArray(said) ? (said as unknown[]) : []
  if (!isObject(kind) || others.length > 0 || !properties.has('kind') || !properties.has('apiVersion')) return {}
  const { group = '', version } = kind
  return { apiVersion: [group, version].filter((one) => one !== '').join('/'), kind: kind.kind }
}
