import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createDirectory } from '../support/command.ts'
import { largeContract } from '../support/large-contract.ts'
import { createStandin } from '../../src/index.ts'

const directory = createDirectory({})
afterAll(directory.remove)

test.each(['json', 'yaml'])(
  'a contract of 600 operations as %s is ready before anything of it is compiled',
  async (kind) => {
    const file = join(directory.path, `large.${kind}`)
    const contract = largeContract(600)
    writeFileSync(file, kind === 'json' ? JSON.stringify(contract, null, 2) : stringify(contract))
    const { app, summary } = createStandin({ contract: file })
    expect(summary).toContain('600 operations')
    expect(summary).toContain(' validators made on first use')
    const body = { id: 'x', name: '', parent: { id: 'y', name: 'a', size: -1 } }
    const refused = await request(app).post('/thing7s').set('X-Key', 'any').send(body)
    expect(refused.status).toBe(400)
    const list = await request(app).get('/thing119s?limit=0&tags=a&tags=b').set('X-Key', 'any')
    expect(list.status).toBe(400)
  },
)
