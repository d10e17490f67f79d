import { join } from 'node:path'
import type { CoverageReport } from '../../../types/control-api.d.ts'
import type { Contract } from '../../contract/contract.ts'
import { loadContract } from '../../contract/load/load.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { isObject } from '../../base/formats/json.ts'
import { isThere, readPackaged, readSourceFile } from '../../base/formats/source-file.ts'

let contract: Contract | undefined

/** Reads the report of a run: a file, or the `coverage.json` of a directory. @throws StartupError for what is none */
export function readReport(path: string): CoverageReport {
  const inDirectory = join(path, 'coverage.json')
  const file = isThere(inDirectory) ? inDirectory : path
  const { value } = readSourceFile(file)
  const isReport = isObject(value) && value.format === 'standin-coverage-1'
  if (!isReport)
    throw new StartupError([
      `${file}: it is not a coverage report. Take the coverage.json of --artifacts, or write one with standin coverage --format json.`,
    ])
  // Its schema is that of the control API's response.
  contract ??= loadContract(readPackaged('spec/control.openapi.yaml'), { isTrusted: true })
  const violations = contract.check('Coverage', value)
  if (violations.length > 0)
    throw new StartupError(violations.map(({ pointer = '', message }) => `${file}: ${pointer}: ${message}`))
  return value as unknown as CoverageReport
}
