import { join } from 'node:path'
import { createRequireOf, ownDefinitions, readLocale, type Definitions } from './locale-data.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { didYouMean } from '../../base/errors/wording.ts'

const ENGLISH = 'en'

/** The locales that come with Standin, besides English. */
export const SHIPPED: readonly string[] = (
  'da de de_AT de_CH en_AU en_CA en_GB en_IE en_IN en_US es es_MX fi fr fr_CA fr_CH it ja ko nb_NO nl nl_BE pl pt_BR pt_PT sv tr uk ' +
  'zh_CN zh_TW'
).split(' ')

/** Those of Faker that a project has to install. */
const OTHERS: readonly string[] = (
  'af_ZA ar az bn_BD cs_CZ cy dv el en_AU_ocker en_BORK en_GH en_HK en_NG en_NP en_ZA eo fa fr_BE fr_LU fr_SN he hr hu hy id_ID ka_GE ' +
  'ku_ckb ku_kmr_latin lv mk mn_MN_cyrl ne ro ro_MD ru sk sl_SI sr_RS_latin ta_IN th ur uz_UZ_latin vi yo_NG zu_ZA'
).split(' ')

const ALL = [ENGLISH, ...SHIPPED, ...OTHERS]

/** The locale that one adds to: `de_AT` has what `de` has. */
export function parentOf(name: string): string {
  const [language = ''] = name.split('_')
  return language !== name && SHIPPED.includes(language) ? language : ENGLISH
}

/** The name of a locale as Faker writes it, `de_AT` for `de_at`; undefined where there is none. */
export function findLocale(name: string): string | undefined {
  return ALL.find((one) => one.toLowerCase() === name.toLowerCase())
}

/**
 * What a locale has besides English. Of several, the first that has a kind of value counts.
 *
 * @param namedBy what messages call the setting
 * @throws StartupError for one that there is not, or that is not installed
 */
export function readDefinitions(name: string, namedBy: string): readonly Definitions[] {
  const found = findLocale(name)
  if (found === undefined) throw new StartupError([`${namedBy}: ${unknown(name)}`])
  if (found === ENGLISH) return []
  if (!SHIPPED.includes(found)) return [readInstalled(found, namedBy)]
  const parent = parentOf(found)
  return [readLocale(found, parent), ...(parent === ENGLISH ? [] : [readLocale(parent, ENGLISH)])]
}

function unknown(name: string): string {
  const [language = ''] = name.toLowerCase().split('_')
  const sameLanguage = ALL.filter((one) => one.split('_')[0] === language)
  const meant = sameLanguage.length > 0 ? ` There are ${sameLanguage.join(', ')}.` : didYouMean(name, ALL)
  const others = ` These come with Standin: ${[ENGLISH, ...SHIPPED].join(', ')}.`
  return `Faker has no locale \`${name}\`.${meant}${sameLanguage.length > 0 ? '' : others}`
}

/** The locale of the Faker that the project has. */
function readInstalled(name: string, namedBy: string): Definitions {
  try {
    return ownDefinitions(createRequireOf(join(process.cwd(), 'standin.yaml')), name, ENGLISH)
  } catch {
    throw new StartupError([
      `${namedBy}: \`${name}\` does not come with Standin. Install Faker where you start Standin: npm install --save-dev @faker-js/faker`,
    ])
  }
}
