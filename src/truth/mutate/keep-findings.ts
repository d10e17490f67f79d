import { join, relative } from 'node:path'
import { makePrivateFolder, PRIVATE_FILE, writeText } from '../../base/formats/source-file.ts'
import { isOpen, type Mutated, type MutantResult } from './verdict.ts'

/** File systems take 255 bytes. */
const LONGEST_NAME = 80

/**
 * Writes the test of each finding, and a file for `standin replay` where faults caused it. Findings with the same test share a file.
 *
 * @returns the run with the names of the files
 */
export function keepFindings(mutated: Mutated, directory: string): Mutated {
  const kept = new Map<string, string>()
  const write = (result: MutantResult, name: string, text: string | undefined) => {
    if (text === undefined) return undefined
    const known = kept.get(text)
    if (known !== undefined) return known
    const folder = join(directory, result.mutant.id.replaceAll(/[^\p{L}\p{N}.]+/gu, '-').slice(0, LONGEST_NAME))
    makePrivateFolder(folder)
    writeText(join(folder, name), [text], PRIVATE_FILE)
    const path = relative('', join(folder, name))
    kept.set(text, path)
    return path
  }
  const results = mutated.results.map((result): MutantResult => {
    if (!isOpen(result)) return result
    const replay = result.tests.find((one) => one.replay !== undefined)?.replay
    // Runners take no file of this name for a test.
    const files = { test: write(result, 'notice.ts', result.readyTest), replay: write(result, 'replay.json', replay) }
    return { ...result, files }
  })
  return { ...mutated, results }
}
