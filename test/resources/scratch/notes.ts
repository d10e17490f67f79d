import type { State, StatePart } from '../../../src/engine/state.ts'
import type { Call, Handler } from '../../../src/resources/handler.ts'
import type { BuiltinOperation, ResourceFactory } from '../../../src/resources/resource.ts'
import { Problem } from '../../../src/errors/problem.ts'

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
  }
}

const noteState: StatePart<'note.created'> = {
  name: 'notes',
  events: {
    'note.created': {
      evolve(state, { note }) {
        state.notes.set(note.id, note)
      },
    },
  },
  initial: () => ({ notes: new Map() }),
  own(state) {
    state.notes = new Map(state.notes)
  },
  write: ({ notes }) => ({ notes: [...notes.values()] }),
  read: ({ notes = [] }: { notes?: readonly Note[] }) => ({ notes: new Map(notes.map((note) => [note.id, note])) }),
}

const createNote: Handler = {
  normalizeBody: (body) => body,
  find() {
    // Its path names nothing.
  },
  read: (state, call) => ({
    violations: [],
    decide() {
      const note = { id: state.notes.size + 1, text: (call.body as Note).text }
      return { status: 201, body: { json: note }, events: [{ type: 'note.created', note }] }
    },
  }),
}

const getNote: Handler = {
  takesNothing: true,
  normalizeBody: (body) => body,
  find: findNote,
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

const USUAL: Pick<BuiltinOperation, 'looksLike' | 'fit' | 'uses'> = {
  looksLike: () => false,
  fit: () => ({ obstacle: undefined, lack: undefined }),
  uses: { query: [], body: { text: true } },
}

/** Notes: a resource with one kind of event, an operation that creates one and one that reads it. */
export const createNotes: ResourceFactory = () => ({
  state: noteState,
  operations: [
    { name: 'createNote', handler: createNote, ...USUAL },
    { name: 'getNote', handler: getNote, parameter: { name: 'noteId', isInteger: true }, ...USUAL },
  ],
})
