// The import rules of CONTRIBUTING.md: its list of rooms is read here, so there is one.
const { readFileSync } = require('node:fs')

/** The rooms of `src/` from the highest floor to the lowest. */
const ROOMS = [
  .../^## Rooms$[^]*?```\n([^]*?)```/m.exec(readFileSync('CONTRIBUTING.md', 'utf8'))[1].matchAll(/^(\w+)\//gm),
].map(([, name]) => name)

const room = (...names) => `^src/(${names.join('|')})/`

/** A room imports only from rooms below it. Type imports count. */
const floors = ROOMS.slice(1).map((name, index) => ({
  name: `${name}-imports-no-higher-room`,
  severity: 'error',
  from: { path: room(name) },
  to: { path: room(...ROOMS.slice(0, index + 1)) },
}))

const KNOWN = [room(...ROOMS), '^src/(index|cli)\\.ts$']

/** Third-party walls: which folder may know a package. */
const wall = (name, packages, from) => ({
  name,
  severity: 'error',
  from: { path: '^src/', pathNot: from },
  to: { path: packages.map((one) => `^(${one}$|node:${one}$)|node_modules/${one}/`) },
})

module.exports = {
  forbidden: [
    ...floors,
    { name: 'in-a-room', severity: 'error', from: { path: '^src/', pathNot: KNOWN }, to: {} },
    { name: 'from-a-room', severity: 'error', from: {}, to: { path: '^src/', pathNot: KNOWN } },
    {
      name: 'no-resource-imports-another',
      severity: 'error',
      from: { path: '^src/resources/([^/]+)/', pathNot: '^src/resources/(user-operations|fixtures)/' },
      to: { path: '^src/resources/[^/]+/', pathNot: '^src/resources/$1/' },
    },
    {
      name: 'the-product-stands-alone',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(console|playground|scripts|checks|bench|test|examples)/' },
    },
    // The rooms below control have types of their own, and test/control/wire-types.test.ts proves that both agree. Faults and resources still
    // use those of the wire.
    {
      name: 'wire-types-are-for-control',
      severity: 'error',
      from: { path: room(...ROOMS.slice(ROOMS.indexOf('control') + 1)), pathNot: '^src/(engine/faults|resources)/' },
      to: { path: '^types/control-api' },
    },
    {
      name: 'the-console-is-a-client',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: ['^(scripts|checks|bench|test)/', room('cli', 'truth', 'testing', 'app')] },
    },
    {
      name: 'scripts-build',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: '^(checks|bench|test|console|playground)/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    wall('express', ['express', 'router'], '^src/(app|control|truth/proxy)/'),
    wall('ajv', ['ajv', 'ajv-formats'], '^src/contract/'),
    wall('faker', ['@faker-js'], '^src/values/'),
    wall('prism', ['@stoplight'], '^src/app/generated/'),
    wall('redis', ['@redis'], '^src/engine/stores/redis/'),
    wall('json-schema-faker', ['json-schema-faker'], '^src/values/'),
    wall('nodemailer', ['nodemailer'], '^src/resources/report-schedules/mail/'),
    wall('mcp', ['@modelcontextprotocol'], '^src/(control/mcp|cli)/'),
    wall('commander', ['commander'], '^src/cli/'),
    wall(
      'node:fs',
      ['fs', 'fs/promises'],
      '^src/(base/formats/(source-file|read-text)|resources/fixtures/(survey-)?folder|testing/failure-files|engine/stores/file/(disk|append-file)|cli/health/health|app/setup/watch)\\.ts$',
    ),
    // The build of the browser's bundle makes that module.
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true, pathNot: '^standin:packaged$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/|^dist/|^checks/fidelity/installed/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
