import { type Action, type Overlay, readOverlay } from './read-overlay.ts'
import { reasonForNothing, select, type Selected } from './targets.ts'
import { below, type Holder, type FilePart, WorkingCopy } from './working-copy.ts'
import { createDocumentErrors, type DocumentErrors } from '../load/document-errors.ts'
import { pointerOf } from '../pointer.ts'
import { allOrRefused, shown } from '../../base/errors/problem.ts'
import { counted } from '../../base/errors/wording.ts'
import { isObject } from '../../base/formats/json.ts'
import { placeIn, type SourceFile } from '../../base/formats/source-file.ts'

/** A document as overlays change it. */
export interface Overlaid {
  readonly document: SourceFile
  /** For people, one for each overlay: `fix.yaml: 3 actions, 5 updates, 1 removal`. */
  readonly applied: readonly string[]
  /** Actions that have no effect, each with file, line and reason. */
  readonly notes: readonly string[]
}

/**
 * Applies overlays to a document, in order: each changes the result of the one before.
 *
 * @throws StartupError with file, line and remedy for overlays that are invalid or do not fit the document
 */
export function applyOverlays(document: SourceFile, files: readonly SourceFile[]): Overlaid {
  if (files.length === 0) return { document, applied: [], notes: [] }
  const overlays = allOrRefused<Overlay[]>(files.map((file) => () => readOverlay(file)))
  const copy = new WorkingCopy(document)
  const errors = createDocumentErrors()
  const notes: string[] = []
  const applied = overlays.map((overlay) => {
    const applying = new Applying({ copy, overlay, file: document.file, errors, notes })
    for (const action of overlay.actions) applying.apply(action)
    return applying.report()
  })
  errors.throwIfAny()
  const placeOf = (pointer: string) => copy.placeOf(pointer)
  return { document: { ...document, value: copy.value, placeOf }, applied, notes }
}

interface OverlayParts {
  readonly copy: WorkingCopy
  readonly overlay: Overlay
  /** Of the document. */
  readonly file: string
  readonly errors: DocumentErrors
  readonly notes: string[]
}

/** One overlay at work. */
class Applying {
  readonly #parts: OverlayParts
  #updates = 0
  #removals = 0

  constructor(parts: OverlayParts) {
    this.#parts = parts
  }

  apply({ pointer, target, change }: Action): void {
    const { copy, overlay, file, notes } = this.#parts
    const found = select(target, copy.value)
    const from = { document: overlay.document, pointer }
    if (typeof found === 'string') return this.#refuse(below(from, 'target'), found)
    if (found.length === 0) {
      const reason = reasonForNothing(target, copy.value)
      const place = placeIn(overlay.document, `${pointer}/target`)
      notes.push(
        `${place}: ${pointer}/target: ${target.text} selects nothing in ${file}${reason} The action is ignored.`,
      )
      return
    }
    if (change.kind === 'remove') this.#remove(found, below(from, 'target'))
    else if (change.kind === 'update') this.#update(found, change.value, below(from, 'update'))
    else if (change.kind === 'copy') {
      const sources = select(change.source, copy.value)
      const [source, ...more] = typeof sources === 'string' ? [] : sources
      if (typeof sources === 'string') this.#refuse(below(from, 'copy'), sources)
      else if (!source || more.length > 0) this.#refuse(below(from, 'copy'), notOne(change.source.text, sources.length))
      // The source may hold the target.
      else this.#update(found, structuredClone(source.value), below(from, 'copy'))
    } else
      notes.push(
        `${placeIn(overlay.document, pointer)}: ${pointer}: it has none of \`update\`, \`remove: true\` and \`copy\`, so it changes nothing.`,
      )
  }

  report(): string {
    const { document, actions } = this.#parts.overlay
    return [
      `${document.file}: ${counted(actions.length, 'action')}`,
      counted(this.#updates, 'update'),
      counted(this.#removals, 'removal'),
    ].join(', ')
  }

  #refuse({ document, pointer }: FilePart, message: string): void {
    this.#parts.errors.add(placeIn(document, pointer), `${pointer}: ${message}`)
  }

  #remove(found: readonly Selected[], from: FilePart): void {
    const { copy } = this.#parts
    // From the end, so that removing an element does not move the ones still to be removed.
    const held = found.map(({ path }) => ({ holder: this.#holderOf(path), name: path.at(-1) ?? '' }))
    held.sort((one, other) => indexOf(other) - indexOf(one))
    for (const { holder, name } of held) {
      if (!holder) return this.#refuse(from, 'the whole document cannot be removed. Select parts of it.')
      copy.remove(holder, name)
      this.#removals++
    }
  }

  #update(found: readonly Selected[], value: unknown, from: FilePart): void {
    const { copy } = this.#parts
    for (const { path, value: present } of found) {
      this.#updates++
      const holder = this.#holderOf(path)
      const name = path.at(-1) ?? ''
      const at = pointerOf(path.map(String))
      if (Array.isArray(present)) this.#append(present, value, from)
      else if (isObject(present) && isObject(value)) this.#merge(present, value, { from, at })
      else if (holder && (present === null || kindOf(present) === kindOf(value))) copy.set(holder, name, value, from)
      else this.#refuse(from, mismatch(present, value, copy.placeOf(at)))
    }
  }

  /** @param value a list of elements, or one that is no list */
  #append(list: unknown[], value: unknown, from: FilePart): void {
    const { copy } = this.#parts
    if (!Array.isArray(value)) return copy.append(list, value, from)
    for (const [index, one] of value.entries()) copy.append(list, one, below(from, String(index)))
  }

  /** @param at the pointer of the target in the document */
  #merge(target: MutableValues, update: Readonly<MutableValues>, { from, at }: Merging): void {
    const { copy } = this.#parts
    for (const [name, value] of Object.entries(update)) {
      const inner = { from: below(from, name), at: `${at}${pointerOf([name])}` }
      const present = Object.hasOwn(target, name) ? target[name] : undefined
      if (isObject(present) && isObject(value)) this.#merge(present, value, inner)
      else if (Array.isArray(present) && Array.isArray(value)) this.#append(present, value, inner.from)
      else if (present === undefined || present === null || kindOf(present) === kindOf(value))
        copy.set(target, name, value, inner.from)
      // `tags:` without a value, as in an example of the specification, adds nothing to the tags.
      else if (value !== null) this.#refuse(inner.from, mismatch(present, value, copy.placeOf(inner.at)))
    }
  }

  /** What holds the value at a path; undefined for the whole document. */
  #holderOf(path: Selected['path']): Holder | undefined {
    if (path.length === 0) return undefined
    const { value } = this.#parts.copy
    return path.slice(0, -1).reduce<unknown>((held, name) => (held as MutableValues)[name], value) as Holder
  }
}

type MutableValues = Record<string, unknown>

interface Merging {
  readonly from: FilePart
  readonly at: string
}

/** Members of objects come last, in any order. */
function indexOf({ name }: { readonly name: string | number }): number {
  return typeof name === 'number' ? name : -1
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return isObject(value) ? 'an object' : 'a plain value'
}

function mismatch(present: unknown, value: unknown, place: string): string {
  return `expected ${kindOf(present)}, because ${place} is one, got ${shown(value)}. To replace it, remove it with an action before this one.`
}

function notOne(text: string, count: number): string {
  return `${text} selects ${counted(count, 'value')}, and a copy is of one. Change the path.`
}
