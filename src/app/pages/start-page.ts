import { asObject, isObject } from '../../base/formats/json.ts'
import { createLookup } from '../../contract/pointer.ts'
import type { Binding } from '../binding/binding.ts'
import { curlOf, kindOf } from '../binding/describe-bindings.ts'
import type { RequestContext } from '../middleware/request-context.ts'
import { type Html, html, page } from './html.ts'
import { createReadyRequests, pathOf, type ReadyRequest } from './ready-request.ts'
import type { PagesDependencies } from '../app-options.ts'

/** A page with more operations shows the request of each on a click. */
const MAX_OPEN = 8

/** The page at `/`: what is served, and a request for each operation. */
export async function createStartPage(
  { response }: RequestContext,
  address: string,
  deps: PagesDependencies,
): Promise<string> {
  const { contract, bindings, slices, hasControl } = deps
  const pause = slices.begin(() => response.destroyed)
  const key = deps.behaviours.settings['auth.keys'] === 'listed' ? 'YOUR-KEY' : 'any'
  const readyRequest = createReadyRequests(contract)
  const summaryOf = createSummaries(contract.document)
  const rows: Html[] = []
  for (const binding of bindings.values()) {
    const ready = await readyRequest(binding)
    rows.push(
      row(binding, {
        curl: curl(binding, ready, address, key),
        summary: summaryOf(binding),
        isOpen: rows.length === 0 || bindings.size <= MAX_OPEN,
      }),
    )
    const paused = pause()
    if (paused) await paused
  }
  const { title, version } = infoOf(contract.document)
  return page(
    `${title} · Standin`,
    './',
    html`<p class="quiet">This is a stand-in for</p>
      <h1>${title}</h1>
      <p class="quiet">${version === '' ? '' : `Version ${version}, from `}<code>${contract.file}</code></p>
      ${links(hasControl)}
      <h2>Operations</h2>
      <p class="quiet">Each with a request to try: a click selects the whole command.</p>
      <ul class="operations">
        ${rows}
      </ul>
      <h2>What was loaded</h2>
      <p class="quiet">${deps.summary()}</p>
      ${hasControl ? guide() : undefined}`,
  )
}

function infoOf({ info }: Readonly<Record<string, unknown>>) {
  const { title, version } = asObject(info)
  return {
    title: typeof title === 'string' && title !== '' ? title : 'a service',
    version: typeof version === 'string' || typeof version === 'number' ? String(version) : '',
  }
}

function createSummaries(document: object): (binding: Binding) => string {
  const lookup = createLookup(document)
  return ({ operation: { pointer } }) => {
    const held = lookup.at(pointer)
    return isObject(held) && typeof held.summary === 'string' ? held.summary : ''
  }
}

function curl(
  { operation }: Binding,
  { path, query, headers, body }: ReadyRequest,
  address: string,
  key: string,
): string {
  const pairs = Object.entries(query).map((pair) => pair.map(encodeURIComponent).join('='))
  return curlOf(operation, { address, path: pathOf(operation, path), query: pairs, headers, body, key })
}

/** The kinds of operations, as `standin check` names them. */
const MEANINGS: Readonly<Record<ReturnType<typeof kindOf>, string>> = {
  stateful: 'Built in: it remembers what requests changed.',
  collection: 'Reads or changes a collection: what you create, later requests find.',
  action: 'Changes an item of a collection.',
  own: 'Handled by your own code.',
  generated: 'Responds with an example of the contract, or a generated value.',
  refused: 'Responds with 501.',
}

interface StartPageRow {
  readonly curl: string
  readonly summary: string
  readonly isOpen: boolean
}

function row(binding: Binding, { curl, summary, isOpen }: StartPageRow): Html {
  const { method, basePath, path } = binding.operation
  const kind = kindOf(binding)
  const why = kind === 'refused' ? ` ${binding.reason}.` : ''
  const what = html`<summary>
      <span class="method">${method}</span><span class="path">${basePath}${path}</span><span class="kind">${kind}</span>
    </summary>
    <div class="operation">
      <p>${summary.replace(/([^.!?])$/, '$1.')} ${MEANINGS[kind]}${why}</p>
      <pre class="copy"><code>${curl}</code></pre>
    </div>`
  return isOpen ? html`<li><details open>${what}</details></li>` : html`<li><details>${what}</details></li>`
}

function links(hasControl: boolean): Html {
  const ofControl = html`<li>
      <a href="./__mock/"><strong>Console</strong>See requests as they arrive, change state, clock and faults</a>
    </li>
    <li>
      <a href="./__mock/docs"><strong>API docs</strong>Read the contract and try its operations</a>
    </li>`
  return html`<ul class="links">
    ${hasControl ? ofControl : undefined}
    <li>
      <a href="./openapi.yaml"><strong>openapi.yaml</strong>The contract, for editors and people</a>
    </li>
    <li>
      <a href="./openapi.json"><strong>openapi.json</strong>The contract, for generators and tools</a>
    </li>
  </ul>`
}

/** Pages of `docs/` that new users need. */
const GUIDE = [
  ['console', 'The console'],
  ['testing', 'Testing'],
  ['behaviours', 'Behaviours'],
  ['failures', 'Failures'],
  ['time', 'Time'],
  ['collections', 'Collections'],
  ['own-contract', 'Your own contract'],
  ['errors', 'Errors'],
  ['reference', 'Reference'],
] as const

function guide(): Html {
  return html`<h2>Docs of Standin</h2>
    <ul class="inline">
      ${GUIDE.map(([name, title]) => html`<li><a href="./__mock/guide/${name}.md">${title}</a></li>`)}
      <li><a href="./__mock/control.openapi.yaml">Contract of the control API</a></li>
    </ul>`
}
