import { useState } from 'preact/hooks'
import type { CollectionSchema } from '../../../../src/control/client/types.ts'
import { control, sandboxName } from '../../session.ts'
import { addressOf } from './address.ts'
import { DocumentEditor } from './editor/document-editor.tsx'
import { useDraft } from './editor/use-draft.ts'

interface NewDocumentProps {
  readonly name: string
  readonly noun: string
  readonly identity: string | null
  readonly schema: CollectionSchema | undefined
  readonly close: () => void
}

const NOTHING = {}

/** A form for a document that does not exist yet. */
export function NewDocument({ name, noun, identity, schema, close }: NewDocumentProps) {
  const { draft = NOTHING, set, drop } = useDraft(`${sandboxName.value} ${name} `, NOTHING)
  const [refusal, setRefusal] = useState<unknown>()
  if (!schema) return null
  const create = () => {
    setRefusal(undefined)
    control.value.createDocument(name, draft).then(({ id }) => {
      drop()
      close()
      location.hash = addressOf(name, id)
    }, setRefusal)
  }
  return (
    <div class="detail-body new-document">
      <h3>New {noun}</h3>
      <p class="quiet">What is required and stays empty is filled in, the id too.</p>
      <DocumentEditor {...{ schema, draft, base: NOTHING, identity, refusal, set }} isNew={true} save={create}>
        {({ isValid }) => (
          <>
            <button class="primary" disabled={!isValid}>
              Create
            </button>
            <button
              type="button"
              onClick={() => {
                drop()
                close()
              }}
            >
              Cancel
            </button>
          </>
        )}
      </DocumentEditor>
    </div>
  )
}
