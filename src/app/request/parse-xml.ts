import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { XmlTree } from '../../contract/xml-value.ts'

/**
 * An XML document as a tree. Prefixes of namespaces are dropped, since any prefix may stand for a namespace; entities of its own are not
 * expanded.
 *
 * @throws SyntaxError naming line and column
 */
export function parseXml(text: string): Readonly<Record<string, XmlTree>> {
  // Its successor is a package of its own with a second parser.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const checked = XMLValidator.validate(text, { allowBooleanAttributes: true })
  if (checked !== true) throw new SyntaxError(`line ${checked.err.line}, column ${checked.err.col}: ${checked.err.msg}`)
  if (/<!DOCTYPE/i.test(text)) throw new SyntaxError('it has a document type, which is not read')
  try {
    return new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '@',
      removeNSPrefix: true,
      ignoreDeclaration: true,
      ignorePiTags: true,
      parseTagValue: false,
      parseAttributeValue: false,
    }).parse(text) as Readonly<Record<string, XmlTree>>
  } catch (error) {
    throw new SyntaxError(error instanceof Error ? error.message : String(error))
  }
}
