import type { Request } from 'express'
import { servedDocument } from '../../contract/served-document.ts'
import { type DocumentFormat, documentPieces } from '../../base/formats/document-pieces.ts'
import { stringifyJson } from '../../base/formats/json.ts'
import { mountOf, originOf } from '../../http/address.ts'
import { sendPieces, sendText, setHeaders, type TextResponse } from '../../http/response.ts'
import type { RequestContext } from '../middleware/request-context.ts'
import { createStartPage } from './start-page.ts'
import { PAGE_HEADERS } from './html.ts'
import { describeProblem, problemPage, unknownProblem } from './problem-page.ts'
import type { PagesDependencies } from '../app-options.ts'

/** Sends the page at a path that the contract does not have. @returns false where there is none for this client */
export async function sendPage(context: RequestContext, request: Request, deps: PagesDependencies): Promise<boolean> {
  const { path, response } = context
  const wantsPage = request.headers.accept?.includes('text/html') === true
  if (path === '/') {
    if (!wantsPage) return false
    if (!/^[^?#]*\/(?:[?#]|$)/.test(request.originalUrl)) redirectToFolder(request)
    else send(context, { status: 200, text: await createStartPage(context, addressOf(request), deps) }, deps)
    return true
  }
  const format = /^\/openapi\.(yaml|json)$/.exec(path)?.[1] as DocumentFormat | undefined
  if (format !== undefined) {
    const document = servedDocument(deps.contract, addressOf(request))
    setPageHeaders(context)
    const pause = deps.slices.begin(() => response.destroyed)
    await sendPieces(
      context,
      { status: 200, contentType: `application/${format}` },
      documentPieces(document, format),
      pause,
    )
    logPage(context, 200, deps)
    return true
  }
  sendProblem(context, path.slice('/problems/'.length), wantsPage, deps)
  return true
}

function addressOf(request: Request): string {
  return originOf(request) + mountOf(request)
}

/** @throws Problem 404 for an unknown type, unless the client asks for HTML */
function sendProblem(context: RequestContext, id: string, wantsPage: boolean, deps: PagesDependencies): void {
  const known = describeProblem(id)
  if (wantsPage) send(context, { status: known ? 200 : 404, text: problemPage(id, deps.hasControl) }, deps)
  else if (known) send(context, { status: 200, contentType: 'application/json', text: stringifyJson(known) }, deps)
  else throw unknownProblem(id)
}

/** The addresses in the page are relative, so that the app can be mounted anywhere. */
function redirectToFolder({ baseUrl, res }: Request): void {
  res?.redirect(`${baseUrl.slice(baseUrl.lastIndexOf('/') + 1)}/`)
}

type SentPage = Omit<TextResponse, 'contentType'> & Partial<Pick<TextResponse, 'contentType'>>

function send(context: RequestContext, { contentType, ...sent }: SentPage, deps: PagesDependencies): void {
  setPageHeaders(context)
  sendText(context, { contentType: contentType ?? 'text/html; charset=utf-8', ...sent })
  logPage(context, sent.status, deps)
}

function setPageHeaders(context: RequestContext): void {
  setHeaders(context, PAGE_HEADERS)
  setHeaders(context, { vary: 'Origin, Accept' })
}

function logPage({ request, requestId, started }: RequestContext, status: number, deps: PagesDependencies): void {
  const { log, elapsed } = deps
  if (!log.isVerbose) return
  const { method = '', url = '' } = request
  log.exchange({ requestId, method, url, status, milliseconds: elapsed() - started, behaviours: [] })
}
