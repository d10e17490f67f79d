import path from 'node:path'

/** The paths of this system, or `path.win32` and `path.posix` in tests. */
type Platform = Pick<typeof path, 'dirname' | 'isAbsolute' | 'join'>

/** A path and the folders that it lies in, up to the root: `/a/b`, `/a`, `/`. On Windows a root is a drive, which may be missing. */
export function withParents(whole: string, platform: Platform = path): string[] {
  const parent = platform.dirname(whole)
  return parent === whole ? [whole] : [whole, ...withParents(parent, platform)]
}

/** The path of a file as a file in `folder` refers to it. It is relative where both are. */
export function referTo(file: string, folder: string, platform: Platform = path): string {
  return platform.isAbsolute(file) ? file : platform.join(folder, file)
}
