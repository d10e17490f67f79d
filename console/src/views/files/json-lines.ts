import type { GivenFile } from '../../../../src/control/client/types.ts'
import { parseJson } from '../../../../src/base/formats/json.ts'

/** Reads one JSON object a line, or one array of them. Integers of any size stay exact. @throws Error that names the line */
export function readJsonLines(text: string): GivenFile[] {
  const whole = text.trim()
  if (whole === '') throw new Error('Write one JSON object a line, such as {"path": "reports/q1.pdf"}.')
  if (whole.startsWith('[')) {
    const list = parsed(whole, 'The text')
    return (list as unknown[]).map((one, index) => asFile(one, `Element ${index + 1}`))
  }
  return whole.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const where = `Line ${index + 1}`
    return [asFile(parsed(line, where), where)]
  })
}

function parsed(text: string, where: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new Error(`${where} is not JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function asFile(value: unknown, where: string): GivenFile {
  if (typeof value === 'object' && value !== null && typeof (value as { path?: unknown }).path === 'string')
    return value as GivenFile
  throw new Error(`${where}: expected an object with a path, such as {"path": "reports/q1.pdf", "size": 1200}.`)
}
