import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { BehaviourRecord, Overrides } from '../../../../src/control/client/types.ts'
import { CloseButton } from '../../parts/close-button.tsx'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Prose } from '../../parts/prose.tsx'
import { control, messageOf } from '../../session.ts'
import { SettingForm } from './setting-form.tsx'

/** What each basis of a default means. */
const BASIS: Readonly<Record<string, string>> = {
  documented: 'The documentation says it.',
  observed: 'Public material about services of this shape shows it.',
  standard: 'A standard or a widespread convention says it.',
  assumed: 'It is a guess: check it against the real service.',
  protects: 'It is a bound that keeps one request from harming the stand-in.',
}

interface BehaviourDetailProps {
  readonly behaviour: BehaviourRecord
  readonly overrides: Overrides
  readonly met: number
  readonly close: () => void
  readonly changed: () => void
}

/** One open question: its rule, what that rests on, and its setting in the sandbox. */
export function BehaviourDetail({ behaviour, overrides, met, close, changed }: BehaviourDetailProps) {
  const { id, question, answer, alternatives, basis, reason, setting, default: usual } = behaviour
  const [refusal, setRefusal] = useState<string>()
  const put = async (next: Overrides): Promise<boolean> => {
    setRefusal(undefined)
    try {
      await control.value.putBehaviours(next)
    } catch (error) {
      setRefusal(messageOf(error))
      return false
    }
    changed()
    return true
  }
  const { [id]: _removed, ...others } = overrides
  return (
    <section class="pane detail" aria-label={id}>
      <div class="toolbar">
        <h2>
          <code>{id}</code>
        </h2>
        <span class="toolbar-rest" />
        <CloseButton close={close} />
      </div>
      <div class="detail-body">
        <p class="lead">
          <Prose text={question} />
        </p>
        <h3>By default</h3>
        <p>
          <Prose text={answer} />
        </p>
        {alternatives === undefined ? null : (
          <p>
            <Prose text={alternatives} />
          </p>
        )}
        <h3>Why</h3>
        <p>
          <Prose text={reason} />
        </p>
        <p class="quiet">
          <span class={basis === 'assumed' ? 'tag tag-warn tag-first' : 'tag tag-first'}>{basis}</span>{' '}
          {BASIS[basis] ?? ''}
        </p>
        <h3>In this sandbox</h3>
        <SettingForm
          key={JSON.stringify(setting)}
          behaviour={behaviour}
          apply={(value) => put({ ...others, [id]: value })}
        />
        {id in overrides ? (
          <div class="section-head">
            <span>
              Changed from <code>{JSON.stringify(usual)}</code>
            </span>
            <button class="small" onClick={() => void put(others)}>
              <Icon name="reset" />
              Back to the setting at start
            </button>
          </div>
        ) : null}
        <ErrorMessage text={refusal} />
        <h3>Requests</h3>
        <p>
          {met === 0 ? 'No response in the journal depended on it.' : `${met} of the latest responses depended on it.`}{' '}
          {met === 0 ? null : <Link href={`~/requests/behaviour/${id}`}>See the requests</Link>}
        </p>
      </div>
    </section>
  )
}
