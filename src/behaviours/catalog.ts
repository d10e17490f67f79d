import type { Options } from './options.ts'

/** One question that the interface leaves open, as `spec/behaviours.yaml` has it. */
export interface Behaviour {
  readonly id: string
  readonly section: string
  readonly question: string
  /** The default, as a full rule in words. */
  readonly answer: string
  /** The same as a setting that the options allow; without options, a word. */
  readonly default: unknown
  /** Absent when there is no other setting. */
  readonly options?: Options
  /** What the other options do, where their names do not say it. */
  readonly alternatives?: string
  /** What the default rests on. */
  readonly basis: 'documented' | 'observed' | 'standard' | 'assumed' | 'protects'
  readonly reason: string
  /** The request that would settle the question against a live service. */
  readonly probe?: string
  /** When `standin calibrate` leaves the question open, and why. */
  readonly unsettled?: string
  /** By profile, its setting where it differs from the default. */
  readonly profiles: Readonly<Record<string, unknown>>
}

export interface BehaviourCatalog {
  /** Name and meaning of each profile; one of them is `default`. */
  readonly profiles: Readonly<Record<string, string>>
  /** In the order of the document, section after section. */
  readonly behaviours: readonly Behaviour[]
}

/** Behaviours that concern the same thing. */
export interface BehaviourSection {
  readonly title: string
  readonly behaviours: readonly (Omit<Behaviour, 'section' | 'profiles'> & Partial<Pick<Behaviour, 'profiles'>>)[]
}

interface CatalogDocument {
  readonly profiles: BehaviourCatalog['profiles']
  readonly sections: readonly BehaviourSection[]
}

/**
 * @param document `spec/behaviours.yaml`. It belongs to the package, so `npm run check` checks its form, and no start does.
 * @param added sections that resources bring
 */
export function readCatalog(document: unknown, added: readonly BehaviourSection[] = []): BehaviourCatalog {
  const packaged = document as CatalogDocument
  const known = added.length === 0 ? catalogs.get(packaged) : undefined
  if (known) return known
  const { profiles, sections } = packaged
  const behaviours = [...sections, ...added].flatMap(({ title, behaviours: inSection }) =>
    inSection.map((one) => ({ profiles: {}, ...one, section: title })),
  )
  const catalog = { profiles, behaviours }
  if (added.length === 0) catalogs.set(packaged, catalog)
  return catalog
}

/** The servers of a process share the catalogue of the package. */
const catalogs = new WeakMap<CatalogDocument, BehaviourCatalog>()
