import { parseTarget, type OverlayTarget } from './targets.ts'
import { createDocumentErrors, didYouMean } from '../load/document-errors.ts'
import { shown } from '../../base/errors/problem.ts'
import { misspelt } from '../../base/errors/wording.ts'
import { encodePointer, isObject, type Members } from '../../base/formats/json.ts'
import { placeIn, type SourceFile } from '../../base/formats/source-file.ts'

/** An OpenAPI Overlay 1.0 or 1.1, checked. */
export interface Overlay {
  readonly document: SourceFile
  readonly actions: readonly Action[]
}

/** One change of an overlay. */
export interface Action {
  /** Where it stands in the overlay: `/actions/0`. */
  readonly pointer: string
  readonly target: OverlayTarget
  readonly change: ActionChange
}

type ActionChange =
  | { readonly kind: 'update'; readonly value: unknown }
  | { readonly kind: 'copy'; readonly source: OverlayTarget }
  | { readonly kind: 'remove' }
  | { readonly kind: 'nothing' }

type ReportAction = (pointer: string, message: string) => void

/** Generated overlays have hundreds of actions. Each searches the whole document. */
const MAX_ACTIONS = 10_000

const REMEDY = 'Name an OpenAPI Overlay, 1.0 or 1.1, with --overlay.'

/**
 * Reads an overlay.
 *
 * @throws StartupError with file, line, pointer and remedy of everything that is wrong
 */
export function readOverlay(document: SourceFile): Overlay {
  const errors = createDocumentErrors()
  const report: ReportAction = (pointer, message) =>
    errors.add(placeIn(document, pointer), `${pointer || '/'}: ${message}`)
  const actions = readActions(document.value, report)
  errors.throwIfAny()
  return { document, actions }
}

function readActions(overlay: unknown, report: ReportAction): readonly Action[] {
  if (!isObject(overlay)) return none(report, '', `expected an OpenAPI Overlay, got ${shown(overlay)}. ${REMEDY}`)
  const { overlay: version, info, actions } = overlay
  const isContract = overlay.openapi !== undefined || overlay.swagger !== undefined
  if (version === undefined && isContract)
    return none(report, '', 'This is an OpenAPI document, not an overlay. Name it with --contract.')
  if (version === undefined) return none(report, '', `This is not an OpenAPI Overlay: it has no \`overlay\`. ${REMEDY}`)
  if (typeof version !== 'string' || !/^1\.[01]\.\d+$/.test(version))
    return none(report, '/overlay', `expected the text '1.0.0' or '1.1.0', got ${shown(version)}. Correct the version.`)
  checkMembers(overlay, { pointer: '', known: ['overlay', 'info', 'extends', 'actions'], report })
  checkInfo(info, report)
  if (!Array.isArray(actions) || actions.length === 0)
    return none(report, '/actions', `expected a list of actions, got ${shown(actions)}. Add at least one.`)
  if (actions.length > MAX_ACTIONS)
    return none(report, '/actions', `expected at most ${MAX_ACTIONS} actions, got ${actions.length}. Merge some.`)
  const mayCopy = !version.startsWith('1.0.')
  return actions.flatMap((one, index) => readAction(one, { pointer: `/actions/${index}`, report, mayCopy }) ?? [])
}

function none(report: ReportAction, pointer: string, message: string): readonly Action[] {
  report(pointer, message)
  return []
}

function checkInfo(info: unknown, report: ReportAction): void {
  if (!isObject(info))
    return report('/info', `expected { title, version }, got ${shown(info)}. Say what the overlay is for.`)
  checkMembers(info, { pointer: '/info', known: ['title', 'version', 'description'], report })
  for (const name of ['title', 'version']) {
    const value = info[name]
    if (typeof value === 'string') continue
    const remedy = value === undefined ? 'Add it.' : 'Put it in quotes.'
    report(`/info/${name}`, `expected a text, got ${shown(value)}. ${remedy}`)
  }
}

interface KnownOverlayMembers {
  readonly pointer: string
  readonly known: readonly string[]
  readonly report: ReportAction
}

function checkMembers(value: Members, { pointer, known, report }: KnownOverlayMembers): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name) || name.startsWith('x-')) continue
    const remedy = didYouMean(misspelt(name, known)) ?? 'Remove it, or begin its name with `x-`.'
    report(`${pointer}/${encodePointer(name)}`, `there is no such member. ${remedy}`)
  }
}

interface ReadingAction {
  readonly pointer: string
  readonly report: ReportAction
  readonly mayCopy: boolean
}

function readAction(value: unknown, { pointer, report, mayCopy }: ReadingAction): Action | undefined {
  if (!isObject(value)) {
    report(pointer, `expected { target, update } or { target, remove: true }, got ${shown(value)}.`)
    return undefined
  }
  const { copy, remove = false, ...rest } = value
  const others = ['target', 'description', 'update', 'remove']
  checkMembers(value, { pointer, known: [...others, 'copy'], report })
  if (copy !== undefined && !mayCopy)
    report(`${pointer}/copy`, 'Overlay 1.0 has no `copy`. Set `overlay: 1.1.0` at the top of the file.')
  if (typeof remove !== 'boolean')
    report(`${pointer}/remove`, `expected true or false, got ${shown(remove)}. Put no quotes around it.`)
  const target = readTarget(value.target, `${pointer}/target`, report)
  const source = copy === undefined ? undefined : readTarget(copy, `${pointer}/copy`, report)
  if (remove === true) return target && { pointer, target, change: { kind: 'remove' } }
  if (rest.update !== undefined && copy !== undefined)
    report(pointer, 'it has both `update` and `copy`. Make two actions of them.')
  if (!target) return undefined
  if (source) return { pointer, target, change: { kind: 'copy', source } }
  const hasUpdate = Object.hasOwn(rest, 'update')
  return { pointer, target, change: hasUpdate ? { kind: 'update', value: rest.update } : { kind: 'nothing' } }
}

function readTarget(text: unknown, pointer: string, report: ReportAction): OverlayTarget | undefined {
  if (typeof text !== 'string' || !text.startsWith('$')) {
    report(pointer, `expected a JSONPath such as $.paths['/customers'].get, got ${shown(text)}.`)
    return undefined
  }
  const target = parseTarget(text)
  if (typeof target !== 'string') return target
  report(pointer, target)
  return undefined
}
