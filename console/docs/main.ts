import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import 'virtual:design-tokens.css'
import './docs.css'
import { ControlError, createControlClient } from '../../src/control/client/client.ts'
import { keepLabelled } from './labels.ts'
import { schemesOf, type SecurityScheme, withBearerTokens } from './security-schemes.ts'
import { askForToken } from './token-form.ts'
import { withoutPictures } from './without-pictures.ts'

/** As the console keeps them, so that this page shows the sandbox that was chosen there. */
const TOKEN = 'standin.token'
const SANDBOX = 'standin.sandbox'

/** Any will do unless the stand-in was started with keys. */
const KEY = 'any'

/** A contract with more operations is shown as a list of tags. */
const MAX_LISTED = 100

const service = location.origin + location.pathname.replace(/\/__mock\/.*$/, '')
const sandbox = sessionStorage.getItem(SANDBOX) ?? 'default'
const docs = getElement('docs')

function getElement(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
}

async function open(): Promise<void> {
  const token = sessionStorage.getItem(TOKEN) ?? undefined
  try {
    const control = createControlClient({ url: service, sandbox, ...(token === undefined ? {} : { token }) })
    show(withoutPictures(withBearerTokens(await control.getContract({ answered: true }))))
  } catch (error) {
    if (error instanceof ControlError && error.status === 401) {
      askForToken(docs, (given) => {
        sessionStorage.setItem(TOKEN, given)
        void open()
      })
    } else docs.replaceChildren(paragraph(`The contract cannot be loaded: ${String(error)}`))
  }
}

function paragraph(text: string): HTMLElement {
  const made = document.createElement('p')
  made.className = 'wait'
  made.textContent = text
  return made
}

function show(contract: { readonly info: unknown; readonly paths?: unknown }): void {
  const { title } = contract.info as { readonly title?: string }
  document.title = `${title ?? 'API docs'} · Standin`
  // Swagger UI shows the button "Authorize" also where there is nothing to fill in.
  docs.classList.toggle('without-security', schemesOf(contract).length === 0)
  const isLong = Object.keys(contract.paths ?? {}).length > MAX_LISTED
  const ui = SwaggerUI({
    domNode: docs,
    spec: contract,
    deepLinking: true,
    docExpansion: isLong ? 'none' : 'list',
    defaultModelsExpandDepth: isLong ? -1 : 0,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    // Its colours are too faint, and large responses take long.
    syntaxHighlight: { activated: false },
    requestInterceptor: inSandbox,
    onComplete: () => {
      for (const scheme of schemesOf(contract)) authorize(ui, scheme)
    },
  })
}

function authorize(ui: ReturnType<typeof SwaggerUI>, { name, isBasic }: SecurityScheme): void {
  if (isBasic) ui.preauthorizeBasic(name, KEY, '')
  else ui.preauthorizeApiKey(name, KEY)
}

/** Requests to the service go to the sandbox that is shown. */
function inSandbox<Request extends { headers: Record<string, string> }>(request: Request): Request {
  if (sandbox !== 'default') request.headers['X-Mock-Sandbox'] = sandbox
  return request
}

const darkness = matchMedia('(prefers-color-scheme: dark)')
const followSystem = () => document.documentElement.classList.toggle('dark-mode', darkness.matches)
darkness.addEventListener('change', followSystem)
followSystem()
keepLabelled(docs)
getElement('sandbox').textContent = `Sandbox ${sandbox}`
void open()
