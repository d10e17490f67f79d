import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyOverlays } from '../../../src/contract/overlays/apply-overlays.ts'
import { inlineSourceFile } from '../../../src/base/formats/source-file.ts'
import { StartupError } from '../../../src/base/errors/problem.ts'

type Json = null | number | string | Json[] | { [name: string]: Json }

const INCOMPATIBLE = Symbol('incompatible')

/** The rules for merging of the Overlay Specification 1.1, 4.4.3, word for word; a null is no value. */
function merged(target: Json | undefined, update: Json): Json | typeof INCOMPATIBLE {
  if (target === undefined || target === null) return update
  if (Array.isArray(target)) return Array.isArray(update) ? [...target, ...update] : ifNull(update, target)
  if (typeof target !== 'object') return update === null || typeof update !== 'object' ? update : INCOMPATIBLE
  if (update === null || typeof update !== 'object' || Array.isArray(update)) return ifNull(update, target)
  const made: Record<string, Json> = { ...target }
  for (const [name, inner] of Object.entries(update)) {
    const result = merged(made[name], inner)
    if (result === INCOMPATIBLE) return INCOMPATIBLE
    made[name] = result
  }
  return made
}

function ifNull(update: Json, target: Json): Json | typeof INCOMPATIBLE {
  return update === null ? target : INCOMPATIBLE
}

const { value: json } = fc.letrec<{ value: Json; object: Record<string, Json> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, 1, 2, 'x', 'y'),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd/e', 'f~'), tie('value'), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
}))
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd/e', 'f~'), json, { maxKeys: 4, noNullPrototype: true })

function apply(document: Json, ...actions: readonly object[]) {
  const overlay = { overlay: '1.1.0', info: { title: 'T', version: '1' }, actions }
  return applyOverlays(inlineSourceFile(document, 'document'), [inlineSourceFile(overlay, 'overlay')]).document
}

test('an update of the whole document is the recursive merge of the specification', () => {
  fc.assert(
    fc.property(object, object, (document, update) => {
      const expected = merged(document, update)
      const before = structuredClone([document, update])
      if (expected === INCOMPATIBLE) expect(() => apply(document, { target: '$', update })).toThrow(StartupError)
      else expect(apply(document, { target: '$', update }).value).toEqual(expected)
      expect([document, update]).toEqual(before)
    }),
  )
})

test('a removal by a filter leaves the elements and members that do not match', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ n: fc.integer({ min: 0, max: 3 }) })), (list) => {
      const byName = Object.fromEntries(list.map((one, index) => [`k${index}`, one]))
      const { value } = apply({ list, byName }, { target: '$.*[?@.n > 1]', remove: true })
      const kept = list.filter(({ n }) => n <= 1)
      expect(value).toMatchObject({ list: kept })
      expect(Object.values((value as { byName: object }).byName)).toEqual(kept)
    }),
  )
})

test('each part is placed in the file that it comes from', () => {
  fc.assert(
    fc.property(object, object, (document, update) => {
      fc.pre(merged(document, update) !== INCOMPATIBLE)
      const result = apply(document, { target: '$', update })
      for (const name of new Set([...Object.keys(document), ...Object.keys(update)])) {
        const isReplaced = typeof document[name] !== 'object' || document[name] === null
        const isUpdated = Object.hasOwn(update, name) && isReplaced
        const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
        expect(result.placeOf?.(pointer)).toBe(isUpdated ? 'overlay:1' : 'document:1')
      }
    }),
  )
})
