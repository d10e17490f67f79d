import { events, type FileSetView, operationsOf, problem, type StateView } from 'standin'
import type { components, operations } from './contract.d.ts'

const defineOperation = operationsOf<operations>()

/** What is known of a file set besides its files, as a document of our own. */
interface Note {
  readonly description: string
  /** ISO 8601. */
  readonly created: string
}

const NOTES = 'file-set-notes'

export const fileSetHandlers = [
  defineOperation('listFileSets', (state) => ({
    status: 200,
    body: { fileSets: state.fileSets.list().map((fileSet) => show(state, fileSet)) },
  })),

  defineOperation('getFileSet', (state, { path: { fileSetId } }) => {
    const fileSet = state.fileSets.get(fileSetId)
    return fileSet ? { status: 200, body: show(state, fileSet) } : noFileSet(fileSetId)
  }),

  defineOperation('createFileSet', (state, { body: { id, description = '' }, now }) => {
    if (state.fileSets.get(id)) return problem(409, 'The file set exists', `There is a file set ${id} already.`)
    const note: Note = { description, created: new Date(now).toISOString() }
    return {
      status: 201,
      body: { id, files: 0, directories: 0, ...note },
      events: [events.createFileSet(id), events.create(NOTES, id, note)],
    }
  }),

  defineOperation('deleteFileSet', (state, { path: { fileSetId } }) => {
    if (!state.fileSets.get(fileSetId)) return noFileSet(fileSetId)
    const hasNote = state.collection(NOTES).has(fileSetId)
    return {
      status: 204,
      events: [events.removeFileSet(fileSetId), ...(hasNote ? [events.remove(NOTES, fileSetId)] : [])],
    }
  }),
]

function show(state: StateView, { id, files, directories }: FileSetView): components['schemas']['FileSet'] {
  return { id, files, directories, ...state.collection<Note>(NOTES).get(id) }
}

export function noFileSet(id: string) {
  return problem(404, 'There is no such file set', `There is no file set ${id}.`)
}
