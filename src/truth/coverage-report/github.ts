import { type Annotation, workflowCommand } from '../../base/formats/workflow-command.ts'
import { missedOf, type RenderedReport, splitOperations } from './outline.ts'

/** A report as workflow commands, which GitHub shows as annotations: an error for each limit that was missed. */
export function renderGithub({ report, checks }: RenderedReport): string {
  const { requested, never } = splitOperations(report)
  const { percent, covered, total } = report.total
  const missed = requested.flatMap((one) =>
    missedOf(one).map(([kind, names]) => `${one.operationId}: ${kind}: ${names.join(', ')}`),
  )
  const failed = checks.filter(({ passed }) => !passed)
  const names = never.map(({ operationId }) => operationId).join(', ')
  const summary = [`${covered} of ${total} of ${report.contract}.`, ...missed].join('\n')
  const annotations: Annotation[] = [
    ...failed.map(({ name, expected, received }): Annotation => {
      return { level: 'error', title: `Coverage: ${name}`, message: `Expected ${expected}, received ${received}.` }
    }),
    ...(never.length === 0 ? [] : [{ level: 'warning', title: 'Coverage: never requested', message: names } as const]),
    { level: 'notice', title: `Coverage: ${percent} %`, message: summary },
  ]
  return [...annotations.map(workflowCommand), ''].join('\n')
}
