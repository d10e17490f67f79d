import { fakerOf, localize } from './faker.ts'
import type { Config } from '../config/config.ts'
import type { ContractChange } from '../contract/load/load.ts'

/** What the settings of generated values change of a contract; undefined for nothing. @throws StartupError for an unknown locale */
export function chooseValues({ locale, names }: Pick<Config, 'locale' | 'names'>): ContractChange | undefined {
  if (locale === 'en') return undefined
  const local = fakerOf(locale, names.locale?.('') ?? 'locale')
  return {
    key: locale,
    apply(document) {
      const changed = { ...document }
      localize(changed, local)
      return { document: changed, notes: [] }
    },
  }
}
