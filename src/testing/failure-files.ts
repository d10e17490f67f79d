import { join, relative, resolve } from 'node:path'
import { stringifyJson } from '../base/formats/json.ts'
import { makePrivateFolder, PRIVATE_FILE, writeText } from '../base/formats/source-file.ts'
import { describeUntoldStrays } from './stray-requests.ts'
import type { TestOptions, TestStandin } from './test-standin.ts'

/** What is kept of a failed test. */
export interface FailureFile {
  readonly name: string
  readonly path: string
  readonly contentType: string
}

/**
 * Writes what a failed test did: a file for `standin replay`, and an HTTP archive for the developer tools of a browser.
 *
 * @param test names the directory; it has to differ from those of other tests
 */
export async function writeFailure(
  { control }: TestStandin,
  { artifacts = process.env.STANDIN_ARTIFACTS ?? join('test-results', 'standin') }: TestOptions,
  test: string,
): Promise<readonly FailureFile[]> {
  const directory = resolve(artifacts, test.replaceAll(/[^\p{L}\p{N}.]+/gu, '-').slice(-LONGEST_NAME))
  const files = [
    { name: 'replay.json', contentType: 'application/json', value: await control.getReplay() },
    { name: 'requests.har', contentType: 'application/json', value: await control.exportHar() },
  ]
  makePrivateFolder(directory)
  return files.map(({ name, contentType, value }) => {
    const path = join(directory, name)
    writeText(path, [stringifyJson(value)], PRIVATE_FILE)
    return { name, path, contentType }
  })
}

/** File systems take 255 bytes. */
const LONGEST_NAME = 80

/** For people, with the command that repeats the test's requests. */
export async function describeFailure(
  { control }: TestStandin,
  [replay, har]: readonly FailureFile[],
): Promise<string> {
  const [repeat, archive] = [replay, har].map((file) => relative('', file?.path ?? ''))
  const kept = `Standin kept what this test sent. To repeat it, or to look at it in a browser:\n  npx standin replay ${repeat}\n  ${archive}`
  const strays = await describeUntoldStrays(control)
  return strays === undefined ? kept : `${strays}\n${kept}`
}
