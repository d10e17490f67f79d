// The import rule of decisions/0022-architecture.md: a folder imports only folders that are listed for it. Type imports count.
const { readdirSync } = require('node:fs')

const ERRORS = ['errors', 'formats']
const CONTRACT = [...ERRORS, 'behaviours', 'config', 'contract', 'values']
const ENGINE = [...ERRORS, 'behaviours', 'engine']
const RESOURCE = [...ENGINE, 'contract', 'faults', 'journal', 'resources/[^/]+\\.ts$']

/** A new kind of resource needs no line here. */
const RESOURCE_FOLDERS = readdirSync('src/resources', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => `resources/${entry.name}`)

/** What each folder may import, besides itself. */
const MAY_IMPORT = {
  formats: ['errors'],
  errors: [],
  behaviours: ERRORS,
  config: [...ERRORS, 'behaviours'],
  contract: ERRORS,
  values: [...ERRORS, 'contract', 'engine/random', 'engine/uuid'],
  engine: [...ERRORS, 'behaviours'],
  faults: ENGINE,
  journal: ENGINE,
  'resources/[^/]+\\.ts$': RESOURCE,
  ...Object.fromEntries(RESOURCE_FOLDERS.map((folder) => [folder, RESOURCE])),
  'resources/collections': [...RESOURCE, 'values'],
  'resources/file-sets': [...RESOURCE, 'values/vocabulary'],
  coverage: [...ENGINE, 'contract', 'journal', 'resources/[^/]+\\.ts$'],
  http: [...ERRORS, 'behaviours', 'contract', 'engine', 'journal'],
  responses: [...CONTRACT, 'engine', 'resources/[^/]+\\.ts$'],
  handlers: [...CONTRACT, 'engine', 'resources'],
  seed: [...CONTRACT, 'engine', 'resources'],
  control: [...CONTRACT, 'coverage', 'engine', 'faults', 'http', 'journal', 'resources', 'seed'],
  'coverage-report': [...ERRORS, 'contract', 'coverage', 'app/pages'],
  mcp: [...ERRORS, 'control/client'],
  traffic: [...ERRORS, 'contract', 'journal/har', 'journal/redact', 'journal/secrets'],
  pact: [...ERRORS, 'contract', 'traffic'],
  diff: [...ERRORS, 'contract', 'traffic'],
  compare: [...ERRORS, 'behaviours', 'contract', 'control/client', 'traffic'],
  calibrate: [...ERRORS, 'behaviours', 'contract', 'traffic'],
  testing: [...CONTRACT, 'http', 'control/client', 'app/setup'],
  recordings: [...CONTRACT, 'app/binding', 'app/resources', 'app/setup', 'resources', 'traffic'],
  proxy: [...CONTRACT, 'engine', 'http', 'journal', 'control/path', 'app', 'traffic'],
  page: [...CONTRACT, 'app', 'control/client', 'engine', 'handlers'],
  app: [
    ...CONTRACT,
    'coverage',
    'engine',
    'faults',
    'http',
    'journal',
    'resources',
    'responses',
    'handlers',
    'seed',
    'control',
  ],
}

const inFolder = (name) => `^src/${name}${name.endsWith('$') ? '' : '(/|\\.ts$)'}`

const rules = Object.entries(MAY_IMPORT).map(([name, allowed]) => ({
  name: `${name.replace(/\W+$/, '')}-imports`,
  comment: `${name} may import ${allowed.join(', ') || 'nothing else'}`,
  severity: 'error',
  from: { path: inFolder(name) },
  to: { path: '^src/', pathNot: [inFolder(name), ...allowed.map(inFolder)] },
}))

/** Third-party walls: which folder may know a package. */
const wall = (name, packages, from) => ({
  name,
  severity: 'error',
  from: { path: '^src/', pathNot: from },
  to: { path: packages.map((one) => `^(${one}$|node:${one}$)|node_modules/${one}/`) },
})

module.exports = {
  forbidden: [
    ...rules,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    wall('express', ['express', 'router'], '^src/(app|control|page|proxy)/'),
    wall('ajv', ['ajv', 'ajv-formats'], '^src/contract/'),
    wall('faker', ['@faker-js'], '^src/values/'),
    wall('prism', ['@stoplight'], '^src/app/generated/'),
    wall('json-schema-faker', ['json-schema-faker'], '^src/values/'),
    wall('nodemailer', ['nodemailer'], '^src/resources/report-schedules/mail/'),
    wall('mcp', ['@modelcontextprotocol'], '^src/(mcp|cli)/'),
    wall('commander', ['commander'], '^src/cli/'),
    wall(
      'node:fs',
      ['fs', 'fs/promises'],
      '^src/(formats/(source-file|read-text)|seed/(survey-)?folder|testing/failure-files|engine/log/(disk|append-file)|cli/health|app/setup/watch)\\.ts$',
    ),
    // The build of the browser's bundle makes that module.
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^standin:packaged$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
