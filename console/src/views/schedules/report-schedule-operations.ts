import { ControlError } from '../../../../src/control/client/client.ts'
import type { InfoOperation } from '../../../../src/control/client/types.ts'
import { toCode } from '../../../../src/control/client/as-code.ts'
import { apiKey, info, noteChange, sandboxName, SERVICE_URL } from '../../session.ts'
import { parseJson } from '../../../../src/base/formats/json.ts'

/** The operation of the contract that is handled as one of a report schedule; undefined if it has none. */
export function operationOf(handler: 'createReportSchedule' | 'updateReportSchedule'): InfoOperation | undefined {
  return info.value?.operations.find((one) => one.handler === handler)
}

/** Whether the contract has operations on report schedules. */
export function hasReportSchedules(): boolean {
  return info.value?.operations.some(({ handler }) => handler.endsWith('ReportSchedule')) ?? true
}

/**
 * Sends a body to the service itself, as an app would. @param id of the schedule that the path names
 *
 * @returns the body of the response
 * @throws ControlError with the problem of a refusal
 */
export async function sendSchedule(operation: InfoOperation, body: string, id?: number): Promise<unknown> {
  const { method, path, basePath = '', keyHeaders } = operation
  const keys = Object.entries(keyHeaders).map(([name, value]) => [name, value.replaceAll('{key}', apiKey.value)])
  const headers = {
    'Content-Type': 'application/json',
    'X-Mock-Sandbox': sandboxName.value,
    ...(Object.fromEntries(keys) as Record<string, string>),
  }
  const url = SERVICE_URL + basePath + path.replaceAll(/\{[^}]+\}/g, String(id))
  const code = `await fetch(${toCode(url)}, ${toCode({ method, headers, body })})`
  const response = await fetch(url, { method, headers, body })
  const answer = parsed(await response.text())
  if (response.ok) {
    noteChange(code)
    return answer
  }
  const problem = typeof answer === 'object' && answer !== null ? answer : {}
  const refusal = new ControlError(response.status, {
    detail: `The service responded with ${response.status}.`,
    ...problem,
  })
  noteChange(code, refusal.message)
  throw refusal
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
