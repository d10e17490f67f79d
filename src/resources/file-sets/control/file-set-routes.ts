import {
  type ControlCall,
  type ControlHandler,
  type ControlRoutes,
  created,
  NO_CONTENT,
  ok,
} from '../../../engine/control-route.ts'
import { requestInvalid } from '../../../errors/request-errors.ts'
import { violation, shown } from '../../../errors/problem.ts'
import { getFileSet, refuseTooManyEntries, showFileSet } from './file-sets.ts'
import { isAddedField, readSentFiles } from '../read-files.ts'
import type { FileSetRequest } from '../../../../types/control-api.d.ts'
import { fileSetInSteps } from '../store/file-set.ts'
import { fileSetExists, tooManyFileSets } from '../../../errors/resource-errors.ts'

const listFileSets: ControlHandler = (call) =>
  ok({ fileSets: [...call.sandbox().state.fileSets.values()].map(showFileSet) })

const readFileSet: ControlHandler = (call) => ok(showFileSet(getFileSet(call)))

const MOST_FILE_SETS = 1000

const createFileSet: ControlHandler = function* (call) {
  const { id, files, generate } = call.body as FileSetRequest
  if (files !== undefined && generate !== undefined)
    throw requestInvalid([violation({ pointer: '/generate' }, 'generate', 'either files or generate', generate)])
  refuseOneMore(call)
  const fixture =
    generate === undefined ? { id, records: yield* readSentFiles(call.rules, id, files ?? []) } : { id, generate }
  const sandbox = call.sandbox()
  const fileSet = yield* fileSetInSteps(fixture, {
    seed: sandbox.state.seed,
    firstMoment: call.rules.firstMoment,
    choices: call.rules.choices,
  })
  // Other requests may have made file sets meanwhile.
  refuseOneMore(call)
  call.sandbox().commit([{ type: 'file-set.created', fileSet }])
  return created(showFileSet(fileSet))
}

/** @throws Problem 409 when the sandbox has such a file set, or too many, or too many files */
function refuseOneMore(call: ControlCall): void {
  const { id, files, generate } = call.body as FileSetRequest
  const sandbox = call.sandbox()
  const { fileSets } = sandbox.state
  if (fileSets.has(id)) {
    throw fileSetExists({
      detail: `The sandbox ${sandbox.name} has a file set ${shown(id)}. Take another id, or DELETE that one first.`,
    })
  }
  if (fileSets.size >= MOST_FILE_SETS) {
    throw tooManyFileSets({
      detail: `A sandbox has at most ${MOST_FILE_SETS} file sets. Delete one first.`,
    })
  }
  const present = [...fileSets.values()].map(({ entries }) => entries.count)
  refuseTooManyEntries([...present, generate ?? files?.length ?? 0])
}

const deleteFileSet: ControlHandler = (call) => {
  const { id } = getFileSet(call)
  call.sandbox().commit([{ type: 'file-set.removed', fileSetId: id }])
  return NO_CONTENT
}

export const fileSetRoutes: ControlRoutes = {
  listFileSets,
  createFileSet: { handle: createFileSet, accepts: (pointer, { rules }) => isAddedField(pointer, rules) },
  getFileSet: readFileSet,
  deleteFileSet,
}
