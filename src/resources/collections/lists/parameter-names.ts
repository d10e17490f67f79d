import { shown } from '../../../base/errors/problem.ts'
import type { TextEnd } from '../documents/selection.ts'
import type { RangeEnd, Meaning } from './list-parameter.ts'
import { keyOf } from '../../../base/formats/plurals.ts'

const set = (names: string) => new Set(names.split(' ').map((name) => keyOf([name])))

/** What a name can mean by itself. */
export type UsualMeaning =
  'page' | 'offset' | 'size' | 'after' | 'before' | 'sort' | 'direction' | 'text' | 'fields' | 'expand' | 'filters'

type NamesByMeaning = Readonly<Partial<Record<UsualMeaning, ReadonlySet<string>>>>

/** Names without case and punctuation that mean the same in every service that has them. */
const NAMES: NamesByMeaning = {
  page: set('page pagenumber pageno pagenum pagenr pageindex currentpage pageid'),
  offset: set('offset skip pageoffset startindex startat startfrom startoffset'),
  size: set(
    'limit perpage pagesize pagelimit maxresults maxitems maxentries maxrecords maxkeys maxpagesize resultsperpage ' +
      'pagelen pagelength itemsperpage recordsperpage hitsperpage numresults pagecount querylimit maxitemcount',
  ),
  after: set(
    'cursor startingafter pagetoken nexttoken nextpagetoken nextpage continue continuation continuationtoken ' +
      'continuetoken marker nextmarker nextcursor startkey startcursor exclusivestartkey lastevaluatedkey lastkey lastid ' +
      'afterid sinceid aftercursor startafter startafterid paginationtoken paginationkey pagecursor pageafter scrollid ' +
      'skiptoken bookmark pagestate',
  ),
  before: set(
    'endingbefore beforeid beforecursor endbefore previouscursor prevcursor previouspage prevpage previoustoken ' +
      'prevtoken previouspagetoken pagebefore untilid',
  ),
  sort: set('sort sortby orderby ordering sortfield sortkey sortcolumn sorting orderfield ordercolumn sortexpression'),
  direction: set('sortorder sortdir sortdirection orderdirection orderdir ordertype sorttype direction dir'),
  text: set('q search query keyword searchterm searchtext searchquery searchstring fulltext freetext searchkey term'),
  fields: set('field select onlyfield includefield attribute fieldlist fieldmask'),
  expand: set('expand include embed embedded populate with expansion preload relation resolve'),
  filters: set('filter where filterby condition criteria criterion fieldselector filterexpression matcher'),
}

/** The same for names that mean something else where the items have such a member, or where they are dates. */
const AMBIGUOUS: NamesByMeaning = {
  page: set('p'),
  offset: set('start from'),
  size: set('size count first max top row num take'),
  after: set('after next start token since'),
  before: set('before prev previous until'),
  sort: set('order'),
  text: set('text contain'),
}

/** The meanings of a name, the usual ones first. @param name without case and punctuation, in the singular */
export function usualMeanings(name: string, isCertain: boolean): readonly UsualMeaning[] {
  const table = isCertain ? NAMES : AMBIGUOUS
  return (Object.keys(table) as UsualMeaning[]).filter((meaning) => table[meaning]?.has(name))
}

/** Whether a name is about pages, and about nothing else. @param name as of `usualMeanings` */
export function isPaging(name: string): boolean {
  return PAGING.some((meaning) => NAMES[meaning]?.has(name))
}

/** Whether a name asks for related items, and for nothing else: `include` also asks for fields. @param name as of `usualMeanings` */
export function isExpansion(name: string): boolean {
  return NAMES.expand?.has(name) === true && !/^(?:include|with)$/.test(name)
}

const PAGING = ['page', 'offset', 'size', 'after', 'before'] as const

/** Words around the name of a member. */
const BOUNDS: Readonly<Record<string, RangeEnd>> = Object.fromEntries(
  Object.entries({
    'from since min minimum gte ge start begin beginning starting': { end: 'from', isExclusive: false },
    'after gt greater newer later above over': { end: 'from', isExclusive: true },
    'to until till max maximum lte le end ending upto through': { end: 'to', isExclusive: false },
    'before lt less older earlier below under': { end: 'to', isExclusive: true },
  } satisfies Record<string, RangeEnd>).flatMap(([words, bound]) => words.split(' ').map((word) => [word, bound])),
)

interface Bounded {
  readonly bound: RangeEnd
  /** The name of the member. */
  readonly rest: readonly string[]
}

/**
 * The bound that a name is, and of what; a name may begin or end with its word.
 *
 * @example boundOf(['min', 'price']) // { bound: { end: 'from', isExclusive: false }, rest: ['price'] }
 */
export function boundsOf(words: readonly string[]): readonly Bounded[] {
  const bare = words.filter((word, index) => word !== 'than' && !(word === 'or' && index > 0))
  const [first = '', last = ''] = [bare[0], bare.at(-1)]
  const ends: Bounded[] = []
  if (Object.hasOwn(BOUNDS, last)) ends.push(bounded(last, bare.slice(0, -1)))
  if (Object.hasOwn(BOUNDS, first) && bare.length > 1) ends.push(bounded(first, bare.slice(1)))
  return ends
}

function bounded(word: string, rest: readonly string[]): Bounded {
  return { bound: BOUNDS[word] ?? { end: 'from', isExclusive: false }, rest }
}

const CONTAINING = set('like contains contain search match ilike icontains pattern substring')
const AT_END: readonly (readonly [TextEnd, ReadonlySet<string>])[] = [
  ['start', set('startswith istartswith beginswith prefix prefixpattern')],
  ['end', set('endswith iendswith suffix')],
]
const EQUAL = set('eq equals in is exact iexact any')
/** What comes before or after several values. */
const SEVERAL = set('in any anyof oneof notin nin notany exclude excluding all containsall hasall')

/** How a member is compared otherwise: `tags_all`, `not_status`, `name_is_null`, `has_tags`. */
const OTHERWISE: readonly (readonly [NamedComparison['how'], ReadonlySet<string>])[] = [
  ['none', set('not ne neq nin notin notany notequal notequals exclude excluding isnot unlike')],
  ['every', set('all containsall hasall')],
  ['absent', set('isnull null isempty missing')],
  ['present', set('has exists isnotnull notnull')],
]

/** What the words before or after the name of a member say about how it is compared. */
interface NamedComparison {
  readonly kind: 'text' | 'equal'
  /** Where in a text it has to be; anywhere without. */
  readonly at?: TextEnd | undefined
  readonly rest: readonly string[]
  readonly how?: 'none' | 'every' | 'absent' | 'present'
  readonly isSeveral: boolean
}

/** What a name says about how a member is compared: `name_like`, `status[in]`. */
export function* comparisonsOf(words: readonly string[]): Generator<NamedComparison> {
  // Operators of two words come first: `not_in`, `is_null`.
  for (const count of [2, 1]) {
    const ends = [
      { operator: words.slice(-count), rest: words.slice(0, -count) },
      { operator: words.slice(0, count), rest: words.slice(count) },
    ]
    for (const { operator, rest } of ends) {
      const name = keyOf([operator.join('')])
      if (rest.length === 0 || operator.length < count) continue
      const [how] = OTHERWISE.find(([, names]) => names.has(name)) ?? []
      const [at] = AT_END.find(([, names]) => names.has(name)) ?? []
      const isSeveral = SEVERAL.has(name)
      if (how) yield { kind: 'equal', rest, how, isSeveral }
      else if (at || CONTAINING.has(name)) yield { kind: 'text', rest, at, isSeveral }
      else if (EQUAL.has(name)) yield { kind: 'equal', rest, isSeveral }
    }
  }
}

/** Whether a text is the name of a direction, and which. */
export function directionOf(text: string): 'asc' | 'desc' | undefined {
  const word = text.toLowerCase()
  if (/^(asc|ascending|ascend|up|az|1|forward|oldest)$/.test(word)) return 'asc'
  return /^(desc|descending|descend|down|za|-1|reverse|backward|newest)$/.test(word) ? 'desc' : undefined
}

function tokenOf({ tokens }: { readonly tokens?: unknown }): string {
  return tokens === 'given' ? ', or the token of a page' : ''
}

function boundInWords({ end, isExclusive }: RangeEnd): string {
  if (isExclusive) return end === 'from' ? 'after this value' : 'before this value'
  return end === 'from' ? 'from this value on' : 'up to this value'
}

function expansionInWords({ related }: Extract<Meaning, { kind: 'expand' }>): string {
  const names = related?.members.map(({ name }) => name) ?? []
  return names.length === 0
    ? 'ignored: items have no place for related items'
    : `shows the items that these members name: ${names.join(', ')}`
}

const HOW = {
  none: 'which must differ',
  every: 'which must have all',
  absent: 'whether it is empty',
  present: 'whether it is there',
}

/** How a meaning reads in `standin check`. */
export function sentenceOf(meaning: Meaning, usual: unknown): string {
  const otherwise = usual === undefined ? '' : `, ${typeof usual === 'string' ? usual : shown(usual)} by default`
  switch (meaning.kind) {
    case 'page':
      return `page of the list, from ${meaning.first}${tokenOf(meaning)}`
    case 'offset':
      return `${meaning.first === 0 ? 'number of items to skip' : `number of the first item, from ${meaning.first}`}${tokenOf(meaning)}`
    case 'cursor':
      return `continues ${meaning.direction} a page, by its token, or ${meaning.direction} an item, by its id`
    case 'size':
      return `size of a page${otherwise}`
    case 'equal':
      return `filters by ${[meaning.member.pointer, ...(meaning.others ?? [])].join(' or ')}${meaning.how ? `, ${HOW[meaning.how]}` : ''}${meaning.isSeveral ? ', one value or several' : ''}${otherwise}`
    case 'range':
      return `filters by ${meaning.member.pointer}, ${boundInWords(meaning.bound)}`
    case 'between':
      return `filters by ${meaning.member.pointer}, from the first value up to the second`
    case 'named':
      return `whether ${meaning.member.pointer} is ${meaning.values.map((one) => shown(one)).join(' or ')}`
    case 'text':
      return `searches ${meaning.at ? `the ${meaning.at} of ` : ''}${meaning.pointers.length === 1 ? meaning.pointers.join() : 'the texts of the items'}`
    case 'sort':
      return `sorts by the members that it names${otherwise}`
    case 'direction':
      return `the direction of the sort${otherwise}`
    case 'fields':
      return 'selects the optional members that are shown'
    case 'expand':
      return expansionInWords(meaning)
    case 'filters':
      return 'filters by the members that it names'
    case 'expression':
      return `filters by what its text says${meaning.holder === undefined ? '' : ` of the members of ${meaning.holder}`}`
    case 'hidden':
      return `shows items that ${meaning.member.pointer} hides${otherwise}`
    case 'wait':
      return 'how long to wait for something new'
    case 'unknown':
      return 'not understood: the items have no member of that name'
  }
}
