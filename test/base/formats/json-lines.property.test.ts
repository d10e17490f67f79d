import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { readSourceFile } from '../../../src/base/formats/source-file.ts'
import { encodePointer } from '../../../src/base/formats/json.ts'
import { createDirectory } from '../../support/command.ts'
import { cases } from '../../support/cases.ts'

const directory = createDirectory({})
afterAll(directory.remove)

test('a pointer leads to the same line of a JSON document as of YAML, whose parser knows positions', () => {
  const name = fc.oneof(fc.constantFrom('a', 'b', '0', '"', '\\', '~/', '{', ']', ''), fc.string({ maxLength: 3 }))
  const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(1, -0.5, true, null, 'text', '"}', '[\\', ''),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }))
  const indents = fc.constantFrom<number | string>(0, 2, '\t')
  fc.assert(
    fc.property(fc.array(json, { maxLength: 4 }), indents, (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const [asJson, asYaml] = ['json', 'yaml'].map((kind) => {
        const file = join(directory.path, `a.${kind}`)
        writeFileSync(file, text)
        return readSourceFile(file)
      })
      for (const pointer of pointersIn(value, ''))
        for (const at of [pointer, `${pointer}/nowhere`])
          expect([at, asJson?.lineOf(at)]).toEqual([at, asYaml?.lineOf(at)])
    }),
    { numRuns: cases(150) },
  )
})

function pointersIn(value: unknown, pointer: string): string[] {
  if (typeof value !== 'object' || value === null) return [pointer]
  return [
    pointer,
    ...Object.entries(value).flatMap(([name, inner]) => pointersIn(inner, `${pointer}/${encodePointer(name)}`)),
  ]
}
