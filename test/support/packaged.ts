import { readPackaged } from '../../src/base/formats/source-file.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

const { paths } = readPackaged('spec/openapi.yaml').value as { paths: Record<string, object> }
const fixtures = ['fixtures/awkward.yaml', 'fixtures/report-schedules.yaml'].map(
  (file) => readPackaged(file).value as { fileSets?: unknown[]; reportSchedules?: unknown[] },
)

/** How many operations, file sets and report schedules a server has that is started without options. */
export const PACKAGED = {
  operations: Object.values(paths).flatMap((path) => Object.keys(path).filter((key) => METHODS.includes(key))).length,
  // And `demo`, which is generated.
  fileSets: 1 + fixtures.flatMap(({ fileSets = [] }) => fileSets).length,
  reportSchedules: fixtures.flatMap(({ reportSchedules = [] }) => reportSchedules).length,
}

/** The line that says what was loaded: these counts, and then what matches `rest`. */
export function summaryOf(counts: Partial<typeof PACKAGED>, rest: string): RegExp {
  const { operations, fileSets, reportSchedules } = { ...PACKAGED, ...counts }
  const loaded = `${operations} operations, (?:\\d+ validators|validators made on first use), ${fileSets} file sets, [\\d,]+ files`
  return new RegExp(`^${loaded}, ${reportSchedules} report schedules, ${rest}`, 'm')
}
