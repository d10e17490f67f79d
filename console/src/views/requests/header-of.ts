import type { ExchangeRecord } from '../../../../src/control/client/types.ts'

/** The first value of a header. @param name in lower case */
export function headerOf(message: Pick<ExchangeRecord['request'], 'headers'> | null, name: string): string | undefined {
  return message?.headers.find((header) => header.name.toLowerCase() === name)?.value
}
