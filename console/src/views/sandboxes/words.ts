import type { Checkpoint, SandboxSummary } from '../../../../src/control/client/types.ts'

/** What a sandbox or a checkpoint holds, in words. */
export function contentsOf(counts: SandboxSummary | Checkpoint): string {
  const { files, fileSets, reportSchedules, runs, deliveries, documents = 0 } = counts
  const all = [
    [files, 'file', 'files'],
    [documents, 'document', 'documents'],
    [reportSchedules, 'schedule', 'schedules'],
    [runs, 'run', 'runs'],
    [deliveries, 'delivery', 'deliveries'],
  ] as const
  const held = all.filter(([count]) => count > 0)
  const inSets = (one: string) => (one === 'file' && fileSets > 1 ? ` in ${fileSets} file sets` : '')
  return (
    held
      .map(([count, one, many]) => `${count.toLocaleString('en')} ${count === 1 ? one : many}${inSets(one)}`)
      .join(', ') || 'nothing'
  )
}

/** The most things that two sandboxes may hold to be compared: their states are loaded into the page. */
const MOST = 100_000

/** Why two sandboxes are not compared; undefined if they can be. */
/** @param isStart whether the right one is compared with its start */
export function reasonNotToCompare(left: SandboxSummary, right: SandboxSummary, isStart: boolean): string | undefined {
  if (left.name === right.name && !isStart) return 'Choose two different sandboxes.'
  const large = [left, right].find((one) => sizeOf(one) > MOST)
  return (
    large &&
    `${large.name} holds ${contentsOf(large)}. The page compares sandboxes of up to ${MOST.toLocaleString('en')} things, so that your browser stays quick. Save both with GET /__mock/state and compare the files.`
  )
}

function sizeOf({ files, reportSchedules, runs, deliveries, documents = 0 }: SandboxSummary): number {
  return files + reportSchedules + runs + deliveries + documents
}
