/** The message of an error that is shown at its place, without the pointer that it begins with. */
export function withoutPlace(message: string, pointer: string): string {
  if (!message.startsWith(`${pointer}: `)) return message
  const rest = message.slice(pointer.length + 2)
  return `${(rest[0] ?? '').toUpperCase()}${rest.slice(1)}`
}
