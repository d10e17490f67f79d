/**
 * Validates compose.yaml, action.yml, the workflows and the examples of pipelines against the JSON schemas of their formats, which Python
 * packages carry: it installs them once, where Python has pip. Without pip it says that it checked nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AnySchema, ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Ajv } from 'ajv'
import { parse as parseJsonWithComments } from 'jsonc-parser'
import { parseAllDocuments } from 'yaml'

const ROOT = join(import.meta.dirname, '../..')
const HERE = import.meta.dirname
const PYTHON = join(HERE, 'python')
const VENDOR = join(PYTHON, 'check_jsonschema/builtin_schemas/vendor')
const KUBERNETES = join(PYTHON, 'kubernetes_validate/kubernetes-json-schema')
const STRICT = 'v1.37.0-local-strict'

/** What files are, and which schema each document of one has. */
const FORMATS: readonly (readonly [pattern: string, schemaOf: (document: unknown) => AnySchema])[] = [
  ['compose.yaml', vendored('compose-spec')],
  ['examples/pipelines/devcontainer/compose.yaml', vendored('compose-spec')],
  ['action.yml', vendored('github-actions')],
  ['.github/workflows/*.yml', vendored('github-workflows')],
  ['.github/dependabot.yml', vendored('dependabot')],
  ['examples/pipelines/github-*.yml', vendored('github-workflows')],
  ['examples/pipelines/gitlab-ci.yml', vendored('gitlab-ci')],
  ['examples/pipelines/kubernetes.yaml', kubernetes],
  ['examples/pipelines/kubernetes-replicas.yaml', kubernetes],
  ['examples/pipelines/devcontainer/devcontainer.json', devcontainer],
]

if (!install()) {
  process.stderr.write('Python with pip is not installed: the files of pipelines are not checked.\n')
} else {
  const complaints = FORMATS.flatMap(([pattern, schemaOf]) => {
    const files = globSync(pattern, { cwd: ROOT })
    if (files.length === 0) return [`${pattern}: there is no such file`]
    return files.flatMap((file) => check(file, schemaOf))
  })
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
  if (complaints.length > 0) process.exitCode = 1
}

/** Installs the packages as `requirements.txt` says. @returns false without pip */
function install(): boolean {
  if (existsSync(join(KUBERNETES, STRICT))) return true
  if (spawnSync('python3', ['-m', 'pip', '--version']).status !== 0) return false
  const flags = ['--quiet', '--disable-pip-version-check', '--no-deps', '--upgrade', '--target', PYTHON]
  execFileSync('python3', ['-m', 'pip', 'install', ...flags, '--requirement', 'requirements.txt'], {
    cwd: HERE,
    stdio: 'inherit',
  })
  // A hundred megabytes of other versions.
  for (const version of readdirSync(KUBERNETES))
    if (version !== STRICT) rmSync(join(KUBERNETES, version), { recursive: true })
  return true
}

function check(file: string, schemaOf: (document: unknown) => AnySchema): string[] {
  const documents = readDocuments(file)
  return documents.flatMap((document) => {
    const schema = schemaOf(document)
    const is2020 = JSON.stringify(schema).includes('draft/2020-12')
    const ajv = new (is2020 ? Ajv2020 : Ajv)({ strict: false, allErrors: true, logger: false })
    addFormats.default(ajv)
    if (schemaOf === kubernetes)
      ajv.addSchema(readJson(join(KUBERNETES, STRICT, '_definitions.json')), '/api/_definitions.json')
    return ajv.validate(schema, document) ? [] : (ajv.errors ?? []).map((error) => complaintOf(file, error))
  })
}

function complaintOf(file: string, { instancePath, message = '', params }: ErrorObject): string {
  return `${file}: ${instancePath || '/'} ${message} ${JSON.stringify(params)}`
}

function readDocuments(file: string): unknown[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  if (file.endsWith('.json')) return [parseJsonWithComments(text)]
  return parseAllDocuments(text).map((document) => {
    for (const error of document.errors) throw new Error(`${file}: ${error.message}`)
    return document.toJS() as unknown
  })
}

function vendored(name: string) {
  return () => readJson(join(VENDOR, `${name}.json`))
}

/** `deployment-apps-v1.json` of `kind: Deployment` in `apps/v1`. */
function kubernetes(document: unknown): AnySchema {
  const { apiVersion, kind } = document as { readonly apiVersion: string; readonly kind: string }
  return readJson(join(KUBERNETES, STRICT, `${kind.toLowerCase()}-${apiVersion.replace('/', '-')}.json`))
}

/** No package carries the schema of containers.dev: this has the members of it that the example uses, and no others. */
function devcontainer(): AnySchema {
  const text = { type: 'string' }
  const port = { type: 'string', pattern: String.raw`^([a-z0-9-]+:)?\d{1,5}$` }
  const attributes = { type: 'object', additionalProperties: false, properties: { label: text } }
  const properties = {
    name: text,
    dockerComposeFile: { type: 'array', minItems: 1, items: text },
    service: text,
    workspaceFolder: text,
    postCreateCommand: text,
    forwardPorts: { type: 'array', items: port },
    portsAttributes: { type: 'object', propertyNames: port, additionalProperties: attributes },
  }
  const required = ['dockerComposeFile', 'service', 'workspaceFolder']
  return { type: 'object', additionalProperties: false, required, properties }
}

/** Without `$id` and `$schema`, since a validator knows each schema once, and the older of them are read as draft 7. */
function readJson(path: string): Record<string, unknown> {
  const { $schema, $id: _, ...schema } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  return String($schema).includes('2020-12') ? { $schema, ...schema } : schema
}
