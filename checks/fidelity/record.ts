/**
 * Installs and starts each real service, plays its sessions, and writes what it answered to `recorded/NAME.har` and its own document to
 * `documents/`. Run it when a session or a service's version changes; the check itself needs only these files.
 *
 *   node checks/fidelity/record.ts [NAME...]
 *
 * The sessions are played twice, each time on a service that starts empty: values that differ are not compared later. Members that come
 * and go are named: a session must not depend on them.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'
import { readRecording, writeRecording } from './recording.ts'
import { ASPECTS, compareAnswers } from './score.ts'
import { installService, type Service, startService } from './service.ts'
import { type Answer, play, readService } from './session.ts'

const here = new URL('./', import.meta.url)
const all = readdirSync(new URL('sessions/', here)).map((file) => file.replace(/\.yaml$/, ''))
const names = process.argv.slice(2)
for (const name of names.length > 0 ? names : all) await record(name)

async function record(name: string): Promise<void> {
  const { sessions, ready, base } = readService(name)
  installService(name)
  const run = async (): Promise<{ readonly service: Service; readonly answers: Answer[][] }> => {
    const service = await startService(name, ready)
    try {
      const answers: Answer[][] = []
      for (const session of sessions) answers.push(await play(session, service.url + base))
      return { service, answers }
    } finally {
      await service.stop()
    }
  }
  const first = await run()
  const second = await run()
  writeRecording(name, first.service, sessions, [first.answers, second.answers])
  writeDocument(name, first.service.document)
  const count = sessions.reduce((sum, { steps }) => sum + steps.length, 0)
  process.stdout.write(`${name}: ${count} requests in ${sessions.length} sessions\n`)
  const recorded = readRecording(name).answers
  for (const [at, { name: session, steps }] of sessions.entries())
    for (const [index, { method, path }] of steps.entries()) {
      const expected = recorded.get(session)?.[index]
      const received = second.answers[at]?.[index]
      if (!expected || !received) continue
      const likeness = compareAnswers(expected, received, expected.varies)
      const other = ASPECTS.filter((aspect) => likeness[aspect] === false)
      if (other.length > 0)
        process.stdout.write(`  ${session}, ${index + 1}, ${method} ${path}: another ${other.join(', ')}\n`)
    }
}

function writeDocument(name: string, document: string): void {
  const isJson = document.trimStart().startsWith('{')
  const text = isJson ? `${JSON.stringify(parse(document), null, 1)}\n` : document
  writeFileSync(new URL(`documents/${name}.${isJson ? 'json' : 'yaml'}`, here), text)
}
