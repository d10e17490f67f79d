import { FILES } from 'standin:packaged'

const ROOT = '/standin/'

/** The bundle contains the files of the package; a page has no others. */
export function existsSync(path: string): boolean {
  return path.slice(ROOT.length) in FILES
}

/** Without links. */
export function realpathSync(path: string): string {
  return path
}

/** All are files. */
export function statSync(): { readonly size: number; isFile(): boolean } {
  return { size: 0, isFile: () => true }
}

export function readFileSync(path: string): string {
  const text = FILES[path.slice(ROOT.length)]
  if (text === undefined) throw Object.assign(new Error('A page has no files.'), { code: 'ENOENT' })
  return text
}
