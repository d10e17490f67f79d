import { Link } from 'wouter-preact'
import type { CoverageBehaviour } from '../../../../src/control/client/types.ts'

/** The least trustworthy first. */
const BASES = ['assumed', 'observed', 'protects', 'standard', 'documented', 'calibrated'] as const

/** The behaviours that responses depended on, by what their defaults rest on. */
export function UsedBehaviours({ behaviours }: { readonly behaviours: readonly CoverageBehaviour[] }) {
  const bases = BASES.flatMap((basis) => {
    const ofBasis = behaviours.filter((one) => one.basis === basis)
    return ofBasis.length === 0 ? [] : [{ basis, ofBasis }]
  })
  return (
    <>
      <h2>Behaviours that responses depended on</h2>
      {bases.length === 0 ? <p class="quiet">None yet.</p> : null}
      {bases.map(({ basis, ofBasis }) => (
        <section key={basis}>
          <h3>
            {basis} ({ofBasis.length})
          </h3>
          <p class="tags">
            {ofBasis.map(({ id, question }) => (
              <Link key={id} href={`~/behaviours/${id}`} class={basis === 'assumed' ? 'tag tag-warn' : 'tag'} title={question}>
                {id}
              </Link>
            ))}
          </p>
        </section>
      ))}
    </>
  )
}
