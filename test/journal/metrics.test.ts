import { expect, test } from 'vitest'
import { createControlledTester } from '../support/control.ts'
import { weekly } from '../support/tester.ts'

test('what was counted is shown as Prometheus reads it', async () => {
  const { control, search, create, request } = createControlledTester({ clock: '2026-03-05T14:30:00Z' })
  await search({ set: 'empty' })
  await search({ set: 'empty' })
  await search({ set: 'empty', query: 'limit=0' })
  await create(weekly())
  await request().get('/nowhere')
  const text = await control.getMetrics()
  const value = (line: string) => {
    const found = text.split('\n').find((one) => one.startsWith(`${line} `))
    return found === undefined ? undefined : Number(found.slice(line.length + 1))
  }
  expect(value('standin_requests_total{operation="searchFiles",status="200"}')).toBe(2)
  expect(value('standin_requests_total{operation="searchFiles",status="400"}')).toBe(1)
  expect(value('standin_requests_total{operation="createReportSchedule",status="200"}')).toBe(1)
  expect(value('standin_requests_total{operation="none",status="404"}')).toBe(1)
  expect(value('standin_sandboxes')).toBe(1)
  expect(value('standin_file_sets')).toBe((await control.getSandbox('default')).fileSets)
  expect(value('standin_report_schedules')).toBe(7)
  expect(value('standin_journal_exchanges')).toBe(5)
  expect(value('standin_journal_bytes')).toBeGreaterThan(1000)
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e7)

  const duration = 'standin_request_duration_seconds'
  const buckets = [
    ...text.matchAll(/^standin_request_duration_seconds_bucket\{operation="searchFiles",le="(.+)"\} (\d+)$/gm),
  ]
  const counts = buckets.map(([, , count]) => Number(count))
  expect(buckets.at(-1)?.[1]).toBe('+Inf')
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  expect(counts.at(-1)).toBe(3)
  expect(value(`${duration}_count{operation="searchFiles"}`)).toBe(3)
  expect(value(`${duration}_sum{operation="searchFiles"}`)).toBeGreaterThan(0)
  expect(text).toContain(`# TYPE ${duration} histogram\n`)
  // Every line is a comment or a sample.
  const sample = /^(#.*|[a-z_]+(\{[a-zA-Z]+="[^"]*"(,[a-zA-Z]+="[^"]*")*\})? [\d.e+-]+|)$/
  expect(text.split('\n').filter((line) => !sample.test(line))).toEqual([])
  const response = await request().get('/__mock/metrics')
  expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
})
