import { Link } from 'wouter-preact'
import { Prose } from '../../parts/prose.tsx'
import { useLoad } from '../../use-load.ts'

/** The behaviours that a response depended on, with their settings in this sandbox. */
export function Behaviours({ ids }: { readonly ids: readonly string[] }) {
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
                </>
              ) : null}
            </li>
          )
        })}
      </ul>
    </details>
  )
}
