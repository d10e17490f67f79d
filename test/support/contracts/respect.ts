import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONTRACT_TOOLS } from './contract-tools.ts'

/** One request of a workflow, or a workflow that ran as a step of another. */
interface ExecutedStep {
  readonly stepId?: string
  readonly workflowId: string
  readonly status: 'success' | 'warn' | 'error'
  readonly response?: { readonly statusCode: number; readonly body: unknown }
  readonly checks?: readonly { readonly name: string; readonly status: string; readonly condition?: string }[]
  readonly executedSteps?: readonly ExecutedStep[]
}

interface Report {
  readonly files: Readonly<Record<string, { readonly executedWorkflows: readonly ExecutedStep[] }>>
}

/** What came of the workflows of a file. */
export interface WorkflowRun {
  /** Of the command: 0 when every check held. */
  readonly exitCode: number
  /** Every request in the order of the run. */
  readonly steps: readonly ExecutedStep[]
  /** The workflows by id, and whether all their checks held. */
  readonly workflows: Readonly<Record<string, string>>
  /** What did not hold: `refuseCreates/viewBelowOne: $statusCode == 400`. */
  readonly failures: readonly string[]
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Runs the workflows of an Arazzo document against a server, with the command that people run: `redocly respect`.
 *
 * @param file as seen from the root of the repository
 */
export async function runWorkflows(file: string, url: string): Promise<WorkflowRun> {
  const directory = mkdtempSync(join(tmpdir(), 'standin-'))
  const out = join(directory, 'report.json')
  try {
    const args = [`${CONTRACT_TOOLS}@redocly/cli/bin/cli.js`, 'respect', file, '--server', `service=${url}`]
    const exitCode = await new Promise<number>((resolve) => {
      const child = execFile(process.execPath, [...args, '--json-output', out], {
        cwd: ROOT,
        env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        maxBuffer: 2 ** 26,
      })
      child.once('exit', (code) => resolve(code ?? -1))
    })
    const { executedWorkflows } = (JSON.parse(readFileSync(out, 'utf8')) as Report).files[file]!
    return { exitCode, ...readRun(executedWorkflows) }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

function readRun(executed: readonly ExecutedStep[]): Omit<WorkflowRun, 'exitCode'> {
  const steps = executed.flatMap(requestsOf)
  const failures = steps.flatMap(({ workflowId, stepId, checks = [] }) =>
    checks
      .filter(({ status }) => status !== 'success')
      .map(({ name, condition = name }) => `${workflowId}/${stepId ?? ''}: ${condition}`),
  )
  return {
    steps,
    failures,
    workflows: Object.fromEntries(executed.map(({ workflowId, status }) => [workflowId, status])),
  }
}

function requestsOf(step: ExecutedStep): readonly ExecutedStep[] {
  return step.executedSteps ? step.executedSteps.flatMap(requestsOf) : [step]
}
