/** Letters that do not come apart into one without an accent and its accent. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  å: 'a',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/**
 * A name in the letters of an e-mail address; empty where it is written in others.
 *
 * @example latinLetters('Łukasz Weiß') // 'lukaszweiss'
 */
export function latinLetters(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[ßæœøåłđðþı]/g, (letter) => SPELLED[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/[^a-z]/g, '')
}
