import type { Case } from '../case.ts'
import { otherForm } from './facts.ts'
import { filter, type Kit, reads } from './search.ts'

/** File sets, directories, and the fields of their entries. */
export function directoryCases({ facts, search }: Kit): Case[] {
  const { directory, file, composed, leaf } = facts
  const inside = (directoryPath: string, rest = {}) => search({ query: { directoryPath, limit: 20, ...rest } })
  const swapped = directory === directory.toUpperCase() ? directory.toLowerCase() : directory.toUpperCase()
  return [
    reads('set.unknown', 'an unknown file set', [search({ set: '7d3b1f6e-0000-4000-8000-000000000000' })]),
    reads('set.id-form', 'a file set whose id is no UUID', [search({ set: 'abc' }), search({ query: 'limit=2' })]),
    reads('search.visible', 'all that a key sees', [
      search({ query: 'limit=1000' }),
      search({ query: 'limit=1000', key: 'other' }),
    ]),
    reads('file.types file.index file.download-url file.created-precision', 'the fields of files', [
      search({ query: 'limit=1000' }),
    ]),
    ...(composed
      ? [
          reads('dir.case', 'a directory in another Unicode form', [
            search({ set: composed.fileSet, query: { directoryPath: otherForm(composed.path) ?? '', limit: 20 } }),
          ]),
          reads('file.types file.index file.download-url file.created-precision', 'the fields of other files', [
            search({ set: composed.fileSet, query: 'limit=1000' }),
          ]),
        ]
      : []),
    reads('dir.slashes', 'slashes around a directory', [
      inside(`/${directory}/`),
      inside(leaf.path.replaceAll('/', '//')),
    ]),
    reads('dir.dots', 'dots in a directory', [inside(`${directory}/..`), inside(`./${directory}`)]),
    reads('dir.case', 'a directory in other letters', [inside(swapped)]),
    reads('dir.missing', 'a directory that does not exist', [inside('no/such/directory')]),
    reads('dir.file', 'a file as a directory', [inside(file.path)]),
    reads('dir.segment', 'a part of the name of a directory', [inside(directory.slice(0, -1))]),
    reads('dir.blank', 'a blank directory', [search({ query: 'limit=20&directoryPath=' })]),
    reads('dir.children-root', 'the children of no directory', [search({ query: 'limit=20&immediateChildren=true' })]),
    reads('dir.recursive', 'all below a directory', [inside(directory, { immediateChildren: false })]),
    reads('dir.self dir.fields', 'the children of a directory', [
      inside(directory, { immediateChildren: true, limit: 1000 }),
    ]),
    reads('dir.entries', 'the directories of a recursive list', [
      inside(directory, { limit: 1000 }),
      inside(directory, { immediateChildren: true }),
    ]),
    reads('dir.filtered', 'a filter that no directory meets', [
      search({ query: 'limit=50', body: { filters: [filter('name', 'EQUALS', file.name)] } }),
    ]),
    reads('dir.implied', 'directories that paths imply', [
      search({ query: 'limit=1000', body: { filters: [filter('fileType', 'EQUALS', 'DIRECTORY')] } }),
    ]),
    reads('dir.counted', 'a limit where a directory comes first', [
      inside(directory, { immediateChildren: true, limit: 1 }),
    ]),
  ]
}
