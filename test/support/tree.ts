/** Its ids are UUIDv5 in a well-known namespace: the file set itself. */
export const UUID_SET = '7d1f8a52-3c60-4b9e-9a41-5e2f60c7d813'

const files = [
  { path: 'readme.md' },
  { path: 'reports/jan.pdf', created: '2026-01-10T08:00:00.000Z', createdBy: 7 },
  { path: 'reports/2025/q1.csv', created: '2025-04-01T08:00:00.000Z', createdBy: 8 },
  { path: 'reports/2025/deep/old.txt', created: '2024-12-24T08:00:00.000Z', createdBy: 9 },
  { path: 'reporting/x.txt' },
  { path: 'empty', fileType: 'DIRECTORY', created: '2020-02-02T00:00:00.000Z', createdBy: 5 },
]

/** Two file sets with directories that were made and others that are implied: by the id `tiny`, and by a UUID. */
export const TREE = {
  fixtures: [
    {
      fileSets: [
        { id: 'tiny', files },
        { id: UUID_SET, files },
      ],
    },
  ],
}

export const DIRECTORIES = ['empty', 'reporting', 'reports', 'reports/2025', 'reports/2025/deep']
export const FILES = [
  'readme.md',
  'reporting/x.txt',
  'reports/2025/deep/old.txt',
  'reports/2025/q1.csv',
  'reports/jan.pdf',
]
export const ALL = [...DIRECTORIES, ...FILES].toSorted()
export const IN_REPORTS = ALL.filter((path) => path.startsWith('reports/'))
