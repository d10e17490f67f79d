import { useState } from 'preact/hooks'
import type { Collection, CollectionSchema, DocumentList } from '../../../../src/control/client/types.ts'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { useEscape } from '../../parts/use-escape.ts'
import { control, sandboxName } from '../../session.ts'
import { useLoad } from '../../use-load.ts'
import { addressOf, childName } from './address.ts'
import { isEqual, mergePatchOf } from './changes.ts'
import { DocumentEditor } from './editor/document-editor.tsx'
import { ExplainItem } from './explain-item.tsx'
import { useDraft } from './editor/use-draft.ts'

type StoredDocument = DocumentList['documents'][number]

interface DocumentProps {
  readonly name: string
  readonly id: string
  readonly collection: Collection | undefined
  readonly all: readonly Collection[]
}

/** One document: edited as a form or as JSON, with what lies below it and why lists do not show it. */
export function Document({ name, id, collection, all }: DocumentProps) {
  const { value: schema } = useLoad((client) => client.getCollectionSchema(name), [name])
  const { value: stored, error, reload } = useLoad((client) => client.getDocument(name, id), [name, id], ['state'])
  useEscape(true, () => void (location.hash = addressOf(name)))
  const noun = collection?.noun ?? 'document'
  const children = all.filter(({ parent }) => parent !== null && parent === collection?.name)
  return (
    <section class="pane detail" aria-label={`${noun} ${id}`}>
      <div class="toolbar">
        <h2>
          {noun} <code>{id}</code>
        </h2>
        <span class="toolbar-rest" />
        <a class="button" href={addressOf(name)}>
          Close
        </a>
      </div>
      <div class="detail-body">
        <ErrorMessage text={error} />
        {children.length === 0 || !stored ? null : (
          <p class="tags">
            {children.map((child) => (
              <a key={child.name} class="tag" href={addressOf(childName(child, { instance: name, id }))}>
                {child.name.split('/').at(-1)} of this {noun}
              </a>
            ))}
          </p>
        )}
        {stored && schema && error === undefined ? (
          <Editor {...{ name, id, stored, schema, collection, reload }} />
        ) : null}
        {schema && schema.lists.length > 0 ? <ExplainItem name={name} id={id} schema={schema} /> : null}
      </div>
    </section>
  )
}

interface EditorProps {
  readonly name: string
  readonly id: string
  readonly stored: StoredDocument
  readonly schema: CollectionSchema
  readonly collection: Collection | undefined
  readonly reload: () => void
}

function Editor({ name, id, stored, schema, collection, reload }: EditorProps) {
  const { draft, base, isChanged, isOutdated, revision, set, drop } = useDraft(
    `${sandboxName.value} ${name} ${id}`,
    stored.document,
  )
  const [refusal, setRefusal] = useState<unknown>()
  if (!draft || !base) return null
  const save = () => {
    setRefusal(undefined)
    const patch = mergePatchOf(base, draft)
    const saving = patch ? control.value.changeDocument(name, id, patch) : control.value.putDocument(name, id, draft)
    saving.then(({ document }) => {
      drop(document)
      reload()
    }, setRefusal)
  }
  const remove = () => {
    setRefusal(undefined)
    control.value.deleteDocument(name, id).then(() => {
      drop()
      location.hash = addressOf(name)
    }, setRefusal)
  }
  const discard = () => {
    setRefusal(undefined)
    drop()
  }
  return (
    <>
      {isOutdated ? (
        <div class="callout" role="status">
          It was changed elsewhere. Saving changes only the members that you changed.
        </div>
      ) : null}
      <DocumentEditor
        key={revision}
        {...{ schema, draft, base, refusal, set, save }}
        identity={collection?.identity.member ?? null}
        isNew={false}
        since={sinceOf(stored)}
      >
        {({ isValid }) => (
          <>
            <button class="primary" disabled={!isChanged || !isValid}>
              Save
            </button>
            <button type="button" disabled={!isChanged && isValid} onClick={discard}>
              Discard changes
            </button>
            <span class="toolbar-rest">
              {isChanged ? <span class="quiet">{changedMembers(base, draft)}</span> : null}
            </span>
            {collection?.isSingleton === true ? null : (
              <ConfirmButton label="Delete" question="Delete for good?" act={remove} />
            )}
          </>
        )}
      </DocumentEditor>
    </>
  )
}

function changedMembers(base: StoredDocument['document'], draft: StoredDocument['document']): string {
  const names = [...new Set([...Object.keys(base), ...Object.keys(draft)])].filter(
    (name) => !isEqual(base[name], draft[name]),
  )
  return `Changed: ${names.slice(0, 5).join(', ')}${names.length > 5 ? '…' : ''}`
}

/** Since when the statuses of a document hold. */
function sinceOf({ hidden }: StoredDocument): Readonly<Record<string, unknown>> {
  const since = hidden?.since
  return typeof since === 'object' && since !== null ? (since as Readonly<Record<string, unknown>>) : {}
}
