import { createConsistency, type MakeConsistent } from './consistency/make-consistent.ts'
import { isAddressLike } from './consistency/links.ts'
import type { DocumentContext } from './consistency/level.ts'
import { alternativesOf } from '../contract/schemas/shape.ts'
import { generateWhole, type Slot, type ValueStyle } from './generate-value.ts'
import { findValidAtOnce } from './repair-value.ts'
import { type Variation, variationOf } from './vary-value.ts'
import { createLookup, valueAt, replaceAt } from '../contract/pointer.ts'
import { createOwnedCache, type OwnedCache } from '../base/cache.ts'
import { chanceKey } from '../engine/random.ts'
import type { Violation } from '../base/errors/problem.ts'
import { encodePointer, isObject, type Members, splitPointer } from '../base/formats/json.ts'

/** What the documents of a collection are made from. */
interface DocumentSource {
  readonly document: unknown
  /** Of one document, a part of `document`. */
  readonly schema: unknown
  check(made: Members): readonly Violation[]
  /** Called once a document was generated, since its check may have to wait for the next turn of the event loop. May throw (see `Turns`). */
  afterDraft?(): void
}

export interface DocumentRequest extends DocumentContext {
  /** Values that are known, by JSON pointer: the id, and what the document belongs to. They are put where the schema allows them. */
  readonly known: ReadonlyMap<string, unknown>
}

/**
 * Makes a believable document that passes the check; undefined where none is found. Equal requests get equal documents.
 *
 * Generating a document takes milliseconds, so a few are generated, and the others vary their values.
 */
export interface DocumentMaker {
  (request: DocumentRequest): Members | undefined
  /** What is wrong with the last document that was tried where none is found; empty where one is. */
  whyNone(request: DocumentRequest): readonly Violation[]
}

/** Of one seed. Their alternatives differ, also below the document itself. */
const TEMPLATES = 3
/** Where the document itself has more alternatives, each is taken, up to so many. */
const MOST_TEMPLATES = 8
const FIRST = -1

/** Of one seed and collection. */
const MOST_UNFINISHED = 100

/** Values of the templates that are kept for a contract. One takes about a kilobyte, and templates are made again when needed. */
const MOST_VALUES = 20_000

/** The templates of the collections of a contract. */
type Templates = OwnedCache<string, DocumentTemplate | readonly Violation[]>

export function createTemplates(): Templates {
  return createOwnedCache({ most: MOST_VALUES, sizeOf: (made) => 10 + ('size' in made ? made.size : 0) })
}

export function createDocumentMaker(source: DocumentSource, templates = createTemplates()): DocumentMaker {
  const makeConsistent = createConsistency(source.document, source.schema)
  const unfinished = new Map<string, GeneratedDocument[]>()
  const count = Math.max(TEMPLATES, Math.min(alternativesOf(source.document, source.schema).length, MOST_TEMPLATES))
  const templateFor = (request: DocumentRequest) => {
    // The first document has the examples that the schema has for single members.
    const turn = request.index === 0 && request.variant === 0 ? FIRST : request.index % count
    const name = `${request.key} ${turn}`
    const known = templates.get(source, name)
    if (known) return known
    if (unfinished.size >= MOST_UNFINISHED) unfinished.clear()
    const drafts = unfinished.get(name) ?? []
    unfinished.set(name, drafts)
    const template = createTemplate(source, { request, turn, drafts })
    unfinished.delete(name)
    templates.set(source, name, template)
    return template
  }
  const make = (request: DocumentRequest) => {
    const template = templateFor(request)
    if (!('value' in template)) return undefined
    const varied = template.vary(request.index + request.variant)
    const known = withKnownAt(isObject(varied) ? varied : template.value, request.known)
    // An example of an address names the document of the example.
    const examples = template.fixed.filter((at) => !isAddressLike(valueAt(known, at), request.path ?? ''))
    const fixed = [...request.known.keys(), ...examples]
    const made = makeConsistent(known, request, fixed)
    if (source.check(made).length === 0) return made
    const plain = replaceBroken(source, known, withKnownAt(template.value, request.known))
    return plain && agreeing(source, makeConsistent, { plain, request, fixed })
  }
  const whyNone = (request: DocumentRequest) => {
    const template = templateFor(request)
    return 'value' in template ? [] : template
  }
  return Object.assign(make, { whyNone })
}

interface DocumentTemplate {
  /** How many values it varies. */
  readonly size: number
  /** A valid document. */
  readonly value: Members
  readonly vary: Variation
  /** Pointers of examples. */
  readonly fixed: readonly string[]
}

/** A document that was generated, before it was checked. */
interface GeneratedDocument {
  readonly value: unknown
  readonly slots: ReadonlyMap<string, Slot>
}

interface TemplateRequest {
  readonly request: DocumentRequest
  readonly turn: number
  /** Those generated so far, in order. A check that compiles schemas starts the work again (see `Schemas.inTurns`). */
  readonly drafts: GeneratedDocument[]
}

function createTemplate(
  source: DocumentSource,
  { request, turn, drafts }: TemplateRequest,
): DocumentTemplate | readonly Violation[] {
  const key = chanceKey(request.key, 'templates')
  let slots: GeneratedDocument['slots'] = new Map()
  let tried = 0
  const options = { lookup: createLookup(source.document), key, now: request.now }
  const generateDraft = (style: ValueStyle): GeneratedDocument => {
    const filled = new Map<string, Slot>()
    return {
      value: generateWhole({ schema: source.schema, owner: request.noun, slots: filled }, options, style),
      slots: filled,
    }
  }
  const found = findValidAtOnce({
    known: {},
    styles: turn === FIRST ? [EXAMPLES, ...STYLES] : STYLES.map((style) => ({ ...style, turn: style.turn + turn })),
    generate(style) {
      const known = drafts[tried]
      const draft = (drafts[tried++] ??= generateDraft(style))
      slots = draft.slots
      if (!known) source.afterDraft?.()
      return draft.value
    },
    check: (value) => (isObject(value) ? source.check(value) : [NO_OBJECT]),
  })
  if (!('value' in found)) return found
  if (!isObject(found.value)) return [NO_OBJECT]
  const fixed = turn === FIRST ? [...unslotted(found.value, slots)] : []
  return { size: slots.size, value: found.value, fixed, vary: variationOf(found.value, { slots, key, turn }) }
}

const NO_OBJECT: Violation = { code: 'type', message: 'A document must be an object.', expected: 'an object' }

/** Examples would make all documents alike. They are used where nothing else is valid. */
const EXAMPLES: ValueStyle = { examples: true, requiredOnly: false, turn: 0 }
const STYLES: readonly ValueStyle[] = [
  ...[0, 1, 2, 3].map((turn) => ({ examples: false, requiredOnly: false, turn })),
  EXAMPLES,
  ...[0, 1].map((turn) => ({ examples: false, requiredOnly: true, turn })),
]

/** Pointers of the values that were not drawn, but for ids: an example names a document that may not exist. */
function* unslotted(value: unknown, slots: ReadonlyMap<string, Slot>, plain = '', pointer = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    if (!slots.has(plain) && !/(id|ids|\/\d+)$/i.test(plain)) yield pointer
    return
  }
  for (const [name, inner] of Object.entries(value))
    yield* unslotted(inner, slots, `${plain}/${name}`, `${pointer}/${encodePointer(name)}`)
}

/** Replacing one value may break another. */
const MAX_ROUNDS = 4

/** The document with values of a valid one where it is broken; the valid one itself where that is not enough. */
function replaceBroken({ check }: DocumentSource, made: Members, valid: Members): Members | undefined {
  let current = made
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const pointers = check(current).map(({ pointer = '' }) => pointer)
    if (pointers.length === 0) return current
    if (pointers.includes('')) break
    for (const pointer of pointers) current = replaceAt(current, splitPointer(pointer), valueAt(valid, pointer))
  }
  return check(valid).length === 0 ? valid : undefined
}

interface Plain {
  readonly plain: Members
  readonly request: DocumentContext
  /** Pointers of what stays. */
  readonly fixed: string[]
}

/** The document with members that agree, but for those where the schema allows only what was there. */
export function agreeing(
  { check }: Pick<DocumentSource, 'check'>,
  makeConsistent: MakeConsistent,
  { plain, request, fixed }: Plain,
): Members {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const made = makeConsistent(plain, request, fixed)
    const pointers = check(made).map(({ pointer = '' }) => pointer)
    if (pointers.length === 0) return made
    fixed.push(...pointers)
  }
  return plain
}

/** A copy with known values. One that the object has no place for is left out. */
function withKnownAt(value: Members, known: DocumentRequest['known']): Members {
  let current = value
  for (const [pointer, one] of known) current = replaceAt(current, splitPointer(pointer), one)
  return current
}
