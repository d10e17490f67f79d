import { setupWorker } from 'msw/browser'
import { createStandin } from 'standin'
import { handlersOf } from 'standin/msw'
import contract from '../shop/contract.yaml?raw'

export const standin = createStandin({ contract })
export const worker = setupWorker(...(await handlersOf(standin, { baseUrl: 'https://api.example.com' })))
