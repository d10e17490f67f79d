import type { Contract } from '../contract/contract.ts'
import { servedDocument } from '../contract/served-document.ts'
import type { ControlCall, ControlResponse, ControlRoutes } from '../engine/control-route.ts'
import type { DocumentFormat } from '../base/formats/document-pieces.ts'
import type { ControlNeeds } from './control-needs.ts'
import { CONTROL_PATH } from './path.ts'

/** The contracts over HTTP: the one in force, and that of the control API itself. */
export function createContractRoutes(own: Pick<Contract, 'document' | 'operations'>): ControlRoutes<ControlNeeds> {
  const contract = (format: DocumentFormat) => async (call: ControlCall<ControlNeeds>) => {
    // A misspelt name of a sandbox is refused here too, as in every read.
    call.sandbox()
    const document = servedDocument(call.served, call.address())
    if (call.query.answered !== true) return sendDocument(document, format)
    const { withAnswers } = await import('./answered-document.ts')
    return sendDocument(await withAnswers(document, call), format)
  }
  const control = (format: DocumentFormat) => (call: ControlCall) =>
    sendDocument(servedDocument(own, `${call.address()}${CONTROL_PATH}`), format)
  return {
    getContract: contract('json'),
    getContractYaml: contract('yaml'),
    getControlContract: control('json'),
    getControlContractYaml: control('yaml'),
  }
}

async function sendDocument(document: object, format: DocumentFormat): Promise<ControlResponse> {
  const { documentPieces } = await import('../base/formats/document-pieces.ts')
  return { status: 200, text: { contentType: `application/${format}`, content: documentPieces(document, format) } }
}
