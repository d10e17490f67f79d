import fc from 'fast-check'

/** Any character of Unicode. fast-check's own `unit: 'binary'` builds a table of all of them first. */
const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint))

/** Text of any characters. */
export function anyText(lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) {
  return fc.string({ unit: anyCharacter, ...lengths })
}
