/** What the build of the browser's bundle adds to it: see `scripts/build-browser.ts`. */
declare module 'standin:packaged' {
  /** Texts by their paths in the package. */
  export const FILES: Readonly<Record<string, string>>
  /** Node's phrases. */
  export const STATUS_CODES: Readonly<Record<number, string>>
}
