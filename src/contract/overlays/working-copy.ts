import { setMember } from '../../base/formats/set-member.ts'
import { MAX_DEPTH } from './targets.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { encodePointer, splitPointer } from '../../base/formats/json.ts'
import { placeIn, type SourceFile } from '../../base/formats/source-file.ts'

/** A part of a file. */
export interface FilePart {
  readonly document: SourceFile
  readonly pointer: string
}

export type Holder = Record<string, unknown> | unknown[]

/** Actions with many targets, or that copy a document into itself, could add any number of values. */
const MAX_ADDED = 1_000_000

/** A copy of a document that overlays change. It knows in which file, and where, each of its parts is written. */
export class WorkingCopy {
  readonly value: unknown
  readonly #document: SourceFile
  /** Where objects and lists are written. */
  readonly #parts = new WeakMap<object, FilePart>()
  /** Where members are written that do not come from the file of the object that holds them. */
  readonly #members = new WeakMap<object, Map<string, FilePart>>()
  /** How many more values may be added. */
  #left = Infinity

  constructor(document: SourceFile) {
    this.#document = document
    // YAML aliases share objects; a change at one place must not change the others.
    this.value = this.#copy(document.value, { document, pointer: '' })
    this.#left = MAX_ADDED
  }

  /** Sets a member or an element to a copy of a value. */
  set(holder: Holder, name: string | number, value: unknown, from: FilePart): void {
    const key = String(name)
    const members = this.#members.get(holder) ?? new Map<string, FilePart>()
    this.#members.set(holder, members.set(key, from))
    setMember(holder, key, this.#copy(value, from))
  }

  append(list: unknown[], value: unknown, from: FilePart): void {
    this.set(list, list.length, value, from)
  }

  remove(holder: Holder, name: string | number): void {
    if (!Array.isArray(holder)) {
      this.#members.get(holder)?.delete(String(name))
      Reflect.deleteProperty(holder, name)
      return
    }
    // The elements after it move; those that are objects are found all the same.
    this.#members.delete(holder)
    holder.splice(Number(name), 1)
  }

  /** `file:line` of a part of the copy, or of the nearest part above it that exists. */
  placeOf(pointer: string): string {
    let value = this.value
    let part: FilePart = { document: this.#document, pointer: '' }
    for (const name of splitPointer(pointer)) {
      const holder = typeof value === 'object' ? value : null
      value = holder && Object.hasOwn(holder, name) ? (holder as Record<string, unknown>)[name] : undefined
      const member = holder ? this.#members.get(holder)?.get(name) : undefined
      part = this.#partOf(value) ?? member ?? below(part, name)
    }
    return placeIn(part.document, part.pointer)
  }

  #partOf(value: unknown): FilePart | undefined {
    return typeof value === 'object' && value !== null ? this.#parts.get(value) : undefined
  }

  #copy(value: unknown, from: FilePart, depth = 0): unknown {
    if (--this.#left < 0) refuse(from, `the overlays add more than ${MAX_ADDED} values. Let the targets select less.`)
    if (typeof value !== 'object' || value === null) return value
    if (depth > MAX_DEPTH) refuse(from, `it nests more than ${MAX_DEPTH} levels deep, so no overlay can be applied.`)
    const made: Holder = Array.isArray(value) ? [] : {}
    for (const [name, inner] of Object.entries(value))
      if (inner !== undefined) setMember(made, name, this.#copy(inner, below(from, name), depth + 1))
    this.#parts.set(made, from)
    return made
  }
}

function refuse({ document, pointer }: FilePart, message: string): never {
  throw new StartupError([`${placeIn(document, pointer)}: ${pointer || '/'}: ${message}`])
}

export function below({ document, pointer }: FilePart, name: string): FilePart {
  return { document, pointer: `${pointer}/${encodePointer(name)}` }
}
