import { isObject, type Members, splitPointer } from '../../../base/formats/json.ts'

/** A copy of an object with another value at a pointer; objects on the way are made. */
export function withValue(value: Members, pointer: string, inner: unknown): Members {
  const [name = '', ...rest] = splitPointer(pointer)
  const held = value[name]
  const next = rest.length === 0 ? inner : withValue(isObject(held) ? held : {}, `/${rest.join('/')}`, inner)
  return { ...value, [name]: next }
}
