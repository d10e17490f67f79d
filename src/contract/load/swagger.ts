import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0'
import { partsOf } from '../pointer.ts'
import type { SourceFile } from '../../formats/source-file.ts'
import { encodePointer, isObject } from '../../formats/json.ts'
import { StartupError } from '../../errors/problem.ts'

/**
 * A Swagger 2.0 document as OpenAPI 3.0; any other document as it is. Lines are still those of the file.
 *
 * @throws StartupError when the document is too far from Swagger to be converted
 */
export function fromSwagger(document: SourceFile): SourceFile {
  const { file, value, lineOf } = document
  if (!isObject(value) || value.swagger !== '2.0') return document
  try {
    // The upgrader writes into its argument.
    const upgraded: unknown = upgradeFromTwoToThree(structuredClone(value))
    return { file, value: upgraded, lineOf: (pointer) => lineOf(pointerInSwagger(pointer)) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError([
      `${file}:${lineOf('/swagger')}: /swagger: the document cannot be converted to OpenAPI 3: ${reason}. Check it with a Swagger validator, or convert it yourself.`,
    ])
  }
}

const SECTIONS: Readonly<Record<string, string>> = {
  schemas: 'definitions',
  requestBodies: 'parameters',
  securitySchemes: 'securityDefinitions',
}

/** Where in the Swagger document a part stood: `/definitions/Pet` for `/components/schemas/Pet`. */
function pointerInSwagger(pointer: string): string {
  const parts = partsOf(pointer)
  const [first, section = '', ...rest] = parts
  const moved = first === 'components' ? [SECTIONS[section] ?? section, ...rest] : parts
  const body = moved.indexOf('requestBody')
  if (body >= 0) return written([...moved.slice(0, body), 'parameters'])
  const content = moved.indexOf('content')
  // Media types stood in `produces`; the schema was the response's own.
  return written(content < 0 ? moved : moved.toSpliced(content, 2))
}

function written(parts: readonly string[]): string {
  return parts.map((part) => `/${encodePointer(part)}`).join('')
}
