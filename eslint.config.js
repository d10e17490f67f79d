// Typed lint. Besides the strict presets it keeps three laws: time and chance enter in one place each, and a type name is declared once.
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'
import { declaredOnce } from './scripts/declared-once.ts'

const time = 'Time enters in src/app/setup/machine.ts alone: read `call.now`.'
const chance = 'Chance comes from (seed, purpose, index): see src/engine/random.ts.'

export default defineConfig(
  { ignores: ['dist', 'site', 'coverage', 'node_modules', 'test-results', '.dependency-cruiser.cjs', '**/*.d.ts'] },
  // Their packages are installed by the command that needs them.
  { ignores: ['examples/testcontainers', 'checks/clients/sessions'] },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // Our objects are closures: their methods use no `this`, so they may be handed on.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'max-params': ['error', 5],
    },
  },
  {
    files: ['src/**'],
    plugins: { standin: { rules: { 'declared-once': declaredOnce('src') } } },
    rules: { 'standin/declared-once': 'error' },
  },
  {
    files: ['src/**'],
    ignores: ['src/app/setup/machine.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: time },
        { object: 'performance', property: 'now', message: time },
        { object: 'Math', property: 'random', message: chance },
        { object: 'crypto', property: 'randomUUID', message: chance },
        { object: 'crypto', property: 'randomBytes', message: chance },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: time },
        { selector: "MemberExpression[property.name='Now'][object.name='Temporal']", message: time },
      ],
    },
  },
  {
    files: ['test/**', 'bench/**', 'examples/**', '*.js', '*.ts', 'scripts/**', 'checks/**'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off', 'max-params': 'off' },
  },
  { files: ['**/*.js'], extends: [tseslint.configs.disableTypeChecked] },
)
