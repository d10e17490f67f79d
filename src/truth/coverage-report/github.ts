import { type Annotation, workflowCommand } from '../../base/formats/workflow-command.ts'
import { missedOf, type RenderedReport, splitOperations } from './outline.ts'

/** A report as workflow commands, which GitHub shows as annotations: an error for each limit that was missed. */
export function renderGithub({ report, checks }: RenderedReport): string {
  const { requested, never } = splitOperations(report)
  const { percent, covered, total } = report.total
  const missed = requested.flatMap((one) =>
    missedOf(one).map(([kind, names]) => `${one.operationId}: ${kind}: ${names.join(', ')}`),
  )
  return [
    ...checks
      .filter(({ passed }) => !passed)
      .map(({ name, expected, received }) =>
        command('error', `Coverage: ${name}`, `Expected ${expected}, received ${received}.`),
      ),
    ...(never.length === 0
      ? []
      : [command('warning', 'Coverage: never requested', never.map(({ operationId }) => operationId).join(', '))]),
    command(
      'notice',
      `Coverage: ${percent} %`,
      [`${covered} of ${total} of ${report.contract}.`, ...missed].join('\n'),
    ),
    '',
  ].join('\n')
}

function command(level: Annotation['level'], title: string, message: string): string {
  return workflowCommand({ level, title, message })
}
