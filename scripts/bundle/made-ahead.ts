/** What each start would make anew: the build makes it and writes it into the modules that have a place for it. */
import { _, Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import standalone from 'ajv/dist/standalone/index.js'
import type { Plugin } from 'rolldown'
import { NO_URIS } from '../../src/contract/schemas/ajv.ts'
import { INTEGERS } from '../../src/contract/schemas/ready-made.ts'
import { createSplitter } from '../../src/contract/schemas/split-schema.ts'
import { encodePointer, type Members } from '../../src/base/formats/json.ts'
import { readPackaged } from '../../src/base/formats/source-file.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { createVocabulary } from '../../src/values/vocabulary.ts'

const DOCUMENT = 'spec/openapi.yaml'

/** The words of the file sets of a server that is started without a seed and a locale. */
export function wordsMade(): Plugin {
  const seed = SETTINGS.seed.byDefault
  const made = { [`${seed} en`]: createVocabulary(seed, 'en') }
  return {
    name: 'words-made',
    transform: (code, id) =>
      id.endsWith('/src/values/vocabulary.ts')
        ? { code: code.replace(/(?<=const MADE\b.* = )\{\}/, () => JSON.stringify(made)), map: null }
        : null,
  }
}

/** Writes the validators of the bodies of requests to the package's own contract into the module that holds them. */
export function validatorsMade(): Plugin {
  return {
    name: 'validators-made',
    transform: (code, id) =>
      id.endsWith('/src/contract/schemas/ready-made.ts')
        ? {
            code: `${code.replace(/(?<=const READY_MADE\b.* = )\{\}/, `{ '${DOCUMENT}': ready() }`)}\n${validators()}`,
            map: null,
          }
        : null,
  }
}

function validators(): string {
  const document = readPackaged(DOCUMENT).value as Members
  const { at } = createSplitter(document, 'request')
  const ajv = new Ajv2020({
    ...{ strict: false, validateSchema: false, meta: false, logger: false, messages: false, uriResolver: NO_URIS },
    code: { source: true, formats: _`INTEGERS` },
  })
  addFormats.default(ajv)
  for (const [name, format] of Object.entries(INTEGERS)) ajv.addFormat(name, format)
  const add = (pointer: string) => {
    if (ajv.schemas[pointer]) return
    const { schema } = at(pointer)
    ajv.addSchema(schema, pointer)
    JSON.stringify(schema, (name, held: unknown) => {
      if (name === '$ref') add(String(held))
      return held
    })
  }
  const bodies = Object.entries(document.paths as Members).flatMap(([path, item]) =>
    Object.entries(item as Members)
      .filter(([, operation]) => Object.hasOwn(operation as Members, 'requestBody'))
      .map(
        ([method]) =>
          `/paths/${encodePointer(path)}/${method}/requestBody/content/${encodePointer('application/json')}/schema`,
      ),
  )
  bodies.forEach(add)
  const code = standalone.default(ajv, Object.fromEntries(bodies.map((pointer, index) => [`body${index}`, pointer])))
  // Everything else would have to be bundled beside it.
  if (/\brequire\(|\bINTEGERS(?!\.int(?:32|64)\b)/.test(code))
    throw new Error(`The validators need more than integers: ${code}`)
  const names = bodies.map((pointer, index) => `${JSON.stringify(pointer)}: exports.body${index}`)
  return `function ready() { const exports = {}; ${code}; return { ${names.join(', ')} } }`
}
