import { type ControlRoutes, ok } from '../../../src/engine/control-route.ts'
import { type State, stateChange, type StatePart } from '../../../src/engine/state.ts'
import { Problem, shown } from '../../../src/base/errors/problem.ts'
import { readList, type FixtureSection } from '../../../src/resources/fixture-reader.ts'
import { type Call, type Handler } from '../../../src/resources/handler.ts'
import type { BuiltinOperation, OperationFaults, Resource } from '../../../src/resources/resource.ts'

interface Note {
  readonly id: number
  readonly text: string
}

declare module '../../../src/engine/state.ts' {
  interface State {
    readonly notes: ReadonlyMap<number, Note>
  }
  interface OwnedState {
    notes: Map<number, Note>
  }
  interface StateEvents {
    'note.created': { readonly note: Note }
    'note.removed': { readonly noteId: number }
  }
  interface Fixtures {
    readonly notes?: readonly Note[]
  }
}

declare module '../../../types/behaviour-settings.d.ts' {
  interface BehaviourSettings {
    readonly 'notes.empty': 'accept' | 'error'
  }
}

const noteState: StatePart<'note.created' | 'note.removed'> = {
  name: 'notes',
  events: {
    'note.created': {
      evolve(state, { note }) {
        state.notes.set(note.id, note)
      },
      publish: ({ note }) => [stateChange('note.created', { noteId: note.id })],
    },
    'note.removed': {
      evolve(state, { noteId }) {
        state.notes.delete(noteId)
      },
    },
  },
  initial: ({ fixtures }) => ({ notes: byId(fixtures.notes ?? []) }),
  count: ({ notes }) => ({ notes: notes.size }),
  own(state) {
    state.notes = new Map(state.notes)
  },
  accepts: (pointer) => pointer === '/notes',
  write: ({ notes }) => ({ notes: [...notes.values()] }),
  read: ({ notes = [] }: { notes?: readonly Note[] }) => ({ notes: byId(notes) }),
}

function byId(notes: readonly Note[]): Map<number, Note> {
  return new Map(notes.map((note) => [note.id, note]))
}

/** The section `notes` of fixture files: a list of texts. */
const noteFixtures: FixtureSection = {
  members: ['notes'],
  start() {
    const texts: string[] = []
    return {
      readFile(top, reader) {
        for (const [index, text] of readList(top.notes, '/notes', reader).entries())
          if (typeof text === 'string') texts.push(text)
          else reader.complain(`/notes/${index}`, `A note is a text; ${shown(text)} is not one.`)
      },
      finish: () => ({ notes: texts.map((text, index) => ({ id: index + 1, text })) }),
    }
  },
}

const createNote: Handler = {
  normalizeBody: (body) => body,
  assertExists() {
    // Its path names nothing.
  },
  read(state, call) {
    const { text } = call.body as Note
    const violation = { pointer: '/text', code: 'notes.empty', message: 'A note has a text.', expected: 'a text' }
    return {
      violations: text === '' && call.tracker.ask('notes.empty') === 'error' ? [violation] : [],
      decide() {
        const note = { id: Math.max(0, ...state.notes.keys()) + 1, text }
        return { status: 201, body: { json: note }, events: [{ type: 'note.created', note }] }
      },
    }
  },
}

const getNote: Handler = {
  takesNothing: true,
  normalizeBody: (body) => body,
  assertExists: findNote,
  read: (state, call) => ({
    violations: [],
    decide: () => ({ status: 200, body: { json: findNote(state, call) }, events: [] }),
  }),
}

function findNote(state: State, call: Call): Note {
  const note = state.notes.get(Number(call.path.noteId))
  if (note) return note
  throw new Problem(
    { id: 'note-not-found', status: 404, title: 'The note does not exist' },
    { detail: 'There is no such note.' },
  )
}

/** Somebody else may remove a note just before it is read. */
const readFaults: OperationFaults = {
  meets: ({ kind, edit }) => kind === 'conflicting-edit' && edit === 'remove',
  before: (fault, { state, named }) =>
    fault.kind === 'conflicting-edit' && state.notes.has(Number(named))
      ? { events: [{ type: 'note.removed', noteId: Number(named) }] }
      : undefined,
}

const controlRoutes: ControlRoutes = {
  listNotes: (call) => ok({ notes: [...call.sandbox().state.notes.values()] }),
}

const USUAL: Pick<BuiltinOperation, 'looksLike' | 'fit' | 'uses'> = {
  looksLike: () => false,
  fit: () => ({ obstacle: undefined, lack: undefined }),
  uses: { query: [], body: { text: true } },
}

/** Notes: a resource that brings everything that a resource can. */
export function createNotes(): Resource {
  return {
    state: noteState,
    fixtures: noteFixtures,
    controlPaths: {
      '/notes': { get: { operationId: 'listNotes', responses: { 200: { description: 'The notes' } } } },
    },
    controlRoutes,
    behaviours: [
      {
        title: 'Notes',
        behaviours: [
          {
            id: 'notes.empty',
            question: 'What does an empty note do?',
            answer: 'It is created.',
            default: 'accept',
            options: { choice: ['accept', 'error'] },
            basis: 'assumed',
            reason: 'Nothing says otherwise.',
          },
        ],
      },
    ],
    operations: [
      {
        name: 'createNote',
        handler: createNote,
        isCreate: true,
        faults: { meets: ({ kind }) => kind === 'lost-answer' },
        ...USUAL,
      },
      {
        name: 'getNote',
        handler: getNote,
        parameter: { name: 'noteId', isInteger: true },
        faults: readFaults,
        ...USUAL,
      },
    ],
  }
}
