import type { IncomingMessage } from 'node:http'
import { headerValues } from '../contract/parameters/credential-location.ts'

/** What was sent under a header's name (in lower case), each time by itself. */
export function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return headerValues(rawHeaders, name)
}
