import { stringifyJson } from './json.ts'

/**
 * A value as YAML on one line. JSON is YAML, apart from characters that a YAML document must not contain (YAML 1.2, 5.1), which are
 * escaped.
 */
export function flowYaml(value: unknown): string {
  return stringifyJson(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
