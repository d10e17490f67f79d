import { completeObject } from './complete-object.ts'
import { allows, type Shape, shapeOf } from '../../contract/schemas/shape.ts'
import { isObject } from '../../formats/json.ts'
import type { Page } from '../../resources/handler.ts'

/**
 * Gives pages what a contract of the user's own requires of them beside `files` and `pageContext.next`; undefined where it
 * requires no more.
 *
 * @param schema of the answer of a search
 * @param key what the chance of made values hangs on
 */
export function createPageCompleter(
  document: unknown,
  schema: unknown,
  key: number,
): ((page: Page, now: number) => Page) | undefined {
  const whole = shapeOf(document, schema)
  const inner = whole.properties.get('pageContext')
  const context = shapeOf(document, inner)
  const added = [...whole.required].filter((name) => !USUAL.has(name))
  if (added.length === 0 && context.required.size === 0) return undefined
  return (page, now) => {
    const known = { whenNamed: {}, whenRequired: {}, written: now, key }
    const made = completeObject(document, schema, { files: [], pageContext: {} }, known)
    return {
      ...page,
      added: Object.fromEntries(Object.entries(made).filter(([name]) => !USUAL.has(name))),
      context() {
        const usual = page.context()
        const members = isObject(usual) ? usual : {}
        return completeObject(document, inner, members, { ...known, whenRequired: wordsOf(members, context) })
      },
    }
  }
}

const USUAL = new Set(['files', 'pageContext'])

/** What a page context may have to say of the walk: a made-up word would send a client on, or stop it. */
function wordsOf({ next }: Readonly<Record<string, unknown>>, { properties }: Shape): Record<string, unknown> {
  const hasMore = next !== undefined && next !== null && next !== ''
  const nextShape = shapeOf(undefined, properties.get('next'))
  const words: Record<string, unknown> = { next: allows(nextShape, 'null') ? null : '' }
  for (const name of properties.keys()) {
    const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
    if (/^(has)?(more|next|nextpage)$/.test(plain) && name !== 'next') words[name] = hasMore
    else if (/^(is)?last(page)?$/.test(plain)) words[name] = !hasMore
  }
  return words
}
