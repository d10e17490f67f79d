// The import table of decisions/0001-layout.md: every arrow points up. Change the table there first, and say why.
const part = (name) => `^src/${name}(/|\\.ts$)`
const LEAVES = '^src/(problem|json|nearest)\\.ts$'

/** What each part may import, besides itself and the leaves. */
const MAY_IMPORT = {
  world: [],
  behaviours: ['document'],
  contract: ['document'],
  seed: ['world', 'behaviours', 'document'],
  operations: ['world', 'behaviours'],
  generated: ['contract', 'operations', 'world'],
  'binding-by-shape': ['contract', 'operations'],
  binding: ['binding-by-shape', 'contract', 'generated', 'operations'],
  'describe-bindings': ['binding', 'contract'],
  own: ['operations', 'seed', 'behaviours', 'world'],
  'example-request': ['binding', 'contract'],
  sandbox: ['world', 'behaviours'],
  mail: ['world'],
  control: ['sandbox', 'seed', 'operations', 'world'],
  history: ['control', 'sandbox', 'seed', 'world'],
  http: ['binding', 'generated', 'control', 'sandbox', 'operations', 'contract', 'behaviours', 'seed', 'world'],
  config: ['behaviours', 'document', 'seed', 'world'],
  keys: ['binding', 'config', 'http'],
  'control-house': ['behaviours', 'contract', 'control', 'document', 'http'],
  'answers-of': ['behaviours', 'operations', 'sandbox', 'world'],
  info: ['contract', 'control', 'document', 'sandbox'],
  'first-world': [
    'http',
    'answers-of',
    'http',
    'binding',
    'seed',
    'operations',
    'contract',
    'behaviours',
    'config',
    'document',
    'world',
  ],
  'birth-of': ['info', 'config', 'document', 'first-world', 'history'],
  reload: ['config', 'control', 'sandbox', 'seed', 'world'],
  standin: [
    'reload',
    'control',
    'answers-of',
    'binding',
    'describe-bindings',
    'example-request',
    'generated',
    'info',
    'birth-of',
    'history',
    'control-house',
    'mail',
    'first-world',
    'keys',
    'http',
    'sandbox',
    'own',
    'operations',
    'seed',
    'contract',
    'behaviours',
    'config',
    'document',
    'world',
  ],
  replay: ['standin', 'config', 'control', 'document', 'history', 'http', 'sandbox', 'world'],
  index: ['standin', 'config', 'control', 'own', 'seed'],
  cli: ['standin', 'replay', 'index', 'config', 'document', 'seed', 'control', 'http'],
}

const rules = Object.entries(MAY_IMPORT).map(([name, allowed]) => ({
  name: `${name}-imports`,
  comment: `${name} may import ${allowed.join(', ') || 'the leaves alone'}`,
  severity: 'error',
  from: { path: part(name) },
  to: { path: '^src/', pathNot: [part(name), LEAVES, ...allowed.map(part)] },
}))

/** Third-party walls: which file may know a package. */
const wall = (name, packages, from) => ({
  name,
  severity: 'error',
  from: { path: '^src/', pathNot: from },
  to: { path: packages.map((one) => `^(${one}$|node:${one}$)|node_modules/${one}/`) },
})

module.exports = {
  forbidden: [
    ...rules,
    { name: 'leaves-import-leaves', severity: 'error', from: { path: LEAVES }, to: { path: '^src/', pathNot: LEAVES } },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    wall('express-in-http', ['express'], '^src/http/'),
    wall('ajv-in-contract', ['ajv', 'ajv-formats'], '^src/contract/'),
    wall('faker-in-few-places', ['@faker-js'], '^src/(seed/fake|generated/(believable|format|numbers))\\.ts$'),
    wall('prism-in-generated', ['@stoplight'], '^src/generated/(negotiate|resource)\\.ts$'),
    wall('fast-check-in-pattern', ['fast-check'], '^src/generated/pattern\\.ts$'),
    wall('nodemailer-in-post', ['nodemailer'], '^src/mail/post\\.ts$'),
    wall('commander-in-cli', ['commander'], '^src/cli/'),
    wall(
      'files-in-few-places',
      ['fs', 'fs/promises'],
      '^src/(document|seed/folder|history/disk|cli/watch-files)\\.ts$',
    ),
    wall('prom-client-in-render-metrics', ['prom-client'], '^src/http/render-metrics\\.ts$'),
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
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
