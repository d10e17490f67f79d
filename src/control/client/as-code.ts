/** Values as TypeScript, for the code that does in a test what a click did. */

const NAME = /^[A-Za-z_$][\w$]*$/
const WIDTH = 72

/** A part of a value that is an expression already. */
export class Code {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A JSON value as an expression, on one line where it is short. */
export function toCode(value: unknown, indent = ''): string {
  const inner = `${indent}  `
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Code) return value.text
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value))
    return wrapped(
      '[',
      value.map((one) => toCode(one, inner)),
      ']',
      indent,
    )
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, one]) => one !== undefined)
    return wrapped(
      '{',
      members.map(([name, one]) => `${keyOf(name)}: ${toCode(one, inner)}`),
      '}',
      indent,
    )
  }
  return String(value)
}

/** A call of the typed client, as it would stand in a test. @param sandbox which it is about; undefined where it names it itself */
export function callAsCode(name: string, given: readonly unknown[], sandbox: string | undefined): string {
  const last = given.findLastIndex((one) => one !== undefined)
  const client = sandbox === undefined || sandbox === 'default' ? 'control' : `control.in(${toCode(sandbox)})`
  return `await ${client}.${name}(${given
    .slice(0, last + 1)
    .map((one) => toCode(one))
    .join(', ')})`
}

/** The name of a member in an object. @example keyOf('page-size') // "'page-size'" */
export function keyOf(name: string): string {
  return NAME.test(name) ? name : quoted(name)
}

/** The expression of a member. @example memberPath('body', 'id') // 'body.id' */
export function memberPath(of: string, name: string): string {
  return NAME.test(name) ? `${of}.${name}` : `${of}[${quoted(name)}]`
}

function quoted(text: string): string {
  const plain = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return `'${plain.replaceAll("'", "\\'")}'`
}

function wrapped(open: string, parts: readonly string[], close: string, indent: string): string {
  const space = open === '{' && parts.length > 0 ? ' ' : ''
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (line.length <= WIDTH && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close}`
}
