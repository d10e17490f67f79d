import { shapeOf } from '../../../contract/schemas/shape.ts'
import { isObject, type Members } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'

/**
 * The members of a body under the names that items have for them: `FriendlyName` of a form is `friendly_name` of the item, and `new_name` is
 * its name from now on. A file tells its name, size and type.
 */
export function sentMembers(document: unknown, schema: unknown, sent: Members): Members {
  const { properties } = shapeOf(document, schema, 'any')
  const own = new Map([...properties.keys()].map((name) => [plainName(name), name]))
  const nameOf = (name: string) => {
    if (properties.has(name)) return name
    const plain = plainName(name)
    // Only a name of two words: `news` is not a new `s`.
    const changed = /^new[_-]?(?=[A-Z]|(?<=[_-]))/.test(name) ? plain.slice(3) : plain
    return own.get(plain) ?? own.get(changed) ?? name
  }
  const renamed = Object.entries(sent).map(([name, value]): [string, unknown] => [nameOf(name), value])
  return {
    ...Object.fromEntries(Object.values(sent).flatMap((one) => factsOf(own, one))),
    ...Object.fromEntries(renamed),
  }
}

/** Names of the members that tell of a file. */
const FILE_FACTS = {
  name: ['filename', 'originalfilename', 'originalname', 'name', 'title'],
  size: ['size', 'bytes', 'sizebytes', 'filesize', 'contentlength', 'length'],
  type: ['mimetype', 'contenttype', 'mediatype'],
}

/** What an uploaded file says of the item, as the fields of a form have it. */
function factsOf(own: ReadonlyMap<string, string>, file: unknown): [string, unknown][] {
  if (!isObject(file) || !(file.bytes instanceof Uint8Array)) return []
  const facts = { name: file.fileName, size: file.bytes.length, type: file.contentType }
  return Object.entries(FILE_FACTS).flatMap(([fact, names]): [string, unknown][] => {
    const name = names.map((one) => own.get(one)).find((one) => one !== undefined)
    return name === undefined ? [] : [[name, facts[fact as keyof typeof facts]]]
  })
}

/** The id that a change gives to an item: `{"new_name": "help wanted"}` where the name is the id. */
export function renamedId(body: unknown, pointer: string | undefined): string | undefined {
  const member = plainName(pointer ?? '')
  const [, id] = Object.entries(isObject(body) ? body : {}).find(([name]) => plainName(name) === `new${member}`) ?? []
  return typeof id === 'string' && id !== '' && member !== '' ? id : undefined
}
