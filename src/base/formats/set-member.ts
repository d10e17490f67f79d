/** Sets a member of any name: `__proto__` is a name like any other, as for `JSON.parse`. */
export function setMember(holder: Record<string, unknown> | unknown[], name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
  else (holder as Record<string, unknown>)[name] = value
}
