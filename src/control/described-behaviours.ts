import { textOrJson } from '../base/formats/json.ts'
import { namedBy } from '../behaviours/behaviours-met.ts'
import type { Behaviours } from '../behaviours/behaviours.ts'

/** Describes in Markdown, folded, what the responses of an operation may depend on. */
type DescribeBehaviours = (dependsOn: readonly string[], seen: ReadonlySet<string>) => string | undefined

/**
 * @param console address of the console, where a behaviour is changed
 * @returns takes what the operation depends on, as `StatefulOperation.dependsOn` has it, and the ids that its recorded responses depended on
 */
export function describeBehaviours({ catalog, settings }: Behaviours, console: string): DescribeBehaviours {
  const isSet = (id: string): id is keyof typeof settings => id in settings
  const lines = new Map(
    catalog.behaviours.map(({ id, question }) => [id, { question, setting: isSet(id) ? settings[id] : undefined }]),
  )
  const line = (id: string, isSeen: boolean) => {
    const { question, setting } = lines.get(id) ?? {}
    const link = `[\`${id}\`](${console}#/behaviours/${id})`
    const now = setting === undefined ? '' : ` Now \`${textOrJson(setting)}\`.`
    return `- ${isSeen ? `**${link}**` : link} ${question ?? ''}${now}`
  }
  return (dependsOn, seen) => {
    const isNamed = namedBy(dependsOn)
    const ids = [...lines.keys()].filter((id) => seen.has(id) || isNamed(id))
    if (ids.length === 0) return undefined
    const [first] = seen
    const bold = first === undefined ? '' : 'Recorded responses depended on those in bold. '
    return [
      `<details><summary>What the contract leaves open here: ${ids.length} behaviours</summary>`,
      `${bold}A link leads to the behaviour in the console, where you can change it.`,
      ids.map((id) => line(id, seen.has(id))).join('\n'),
      '</details>',
    ].join('\n\n')
  }
}
