import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { BehaviourRecord, ExchangeRecord } from '../../../../src/control/client/types.ts'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { Prose } from '../../parts/prose.tsx'
import { messageOf } from '../../session.ts'
import { useLoad } from '../../use-load.ts'
import { SettingForm, wordsOf } from '../behaviours/setting-form.tsx'
import { repeatWith } from './replay.ts'

interface BehavioursProps {
  readonly exchange: ExchangeRecord
  /** Opens the exchange that a repetition made. */
  readonly open: (id: number) => void
}

/** The behaviours that the response depended on, with their settings in this sandbox, and a way to try others. */
export function Behaviours({ exchange, open }: BehavioursProps) {
  const { behaviours: ids } = exchange
  const { value } = useLoad((client) => client.getBehaviours())
  const known = new Map((value?.behaviours ?? []).map((one) => [one.id, one]))
  return (
    <details class="headers">
      <summary>
        Depended on {ids.length} {ids.length === 1 ? 'behaviour' : 'behaviours'} that the contract leaves open
      </summary>
      <ul class="plain">
        {ids.map((id) => {
          const behaviour = known.get(id)
          return (
            <li key={id}>
              <Link href={`~/behaviours/${id}`}>
                <code>{id}</code>
              </Link>
              {behaviour ? (
                <>
                  {' = '}
                  <code>{JSON.stringify(behaviour.setting)}</code>
                  <div class="quiet">
                    <Prose text={behaviour.question} />
                  </div>
                  {behaviour.options === undefined ? null : (
                    <Trial exchange={exchange} behaviour={behaviour} open={open} />
                  )}
                </>
              ) : null}
            </li>
          )
        })}
      </ul>
    </details>
  )
}

/** Repeats the request with another setting, in a fork, so that this sandbox stays as it is. */
function Trial({ exchange, behaviour, open }: BehavioursProps & { readonly behaviour: BehaviourRecord }) {
  const [isOpen, setOpen] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  // The present setting would repeat what is known.
  const others = wordsOf(behaviour.options)?.filter((word) => word !== behaviour.setting)
  const apply = async (setting: unknown) => {
    setRefusal(undefined)
    try {
      const id = await repeatWith(exchange, behaviour.id, setting)
      if (id !== undefined) open(id)
      return true
    } catch (error) {
      setRefusal(messageOf(error))
      return false
    }
  }
  return (
    <>
      <button onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        Repeat with another setting
      </button>
      {isOpen ? (
        <div class="callout callout-plain" role="group" aria-label={`Repeat with another setting of ${behaviour.id}`}>
          <p class="quiet">The request is sent once more, in a fork with the setting that you choose.</p>
          {others === undefined ? (
            <SettingForm behaviour={behaviour} apply={apply} />
          ) : (
            <div class="buttons">
              {others.map((word) => (
                <button key={word} onClick={() => void apply(word)}>
                  <code>{word}</code>
                </button>
              ))}
            </div>
          )}
        </div>
      ) : null}
      <ErrorMessage text={refusal} />
    </>
  )
}
