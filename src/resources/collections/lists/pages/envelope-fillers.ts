import { allows, type Shape, shapeOf } from '../../../../contract/schemas/shape.ts'
import { hasNext, offsetBefore, pageNumber, type PageFacts, pagesOf, previousPage, type Rel } from './page-facts.ts'
import { plainName } from '../../../../base/formats/names.ts'

/** The value of a member beside the list; undefined where the page has none. */
export type Fill = (facts: PageFacts) => string | number | boolean | undefined

/** A member beside a list. */
interface Beside {
  /** In lower case and without punctuation. */
  readonly name: string
  readonly shape: Shape
  /** The object that it is a member of, written alike. */
  readonly holder: string
  /** Whether another member holds the total. */
  readonly hasTotal: boolean
  /** Whether pages are asked for by tokens. */
  readonly usesTokens: boolean
}

const set = (names: string) => new Set(names.split(' '))

interface NamedFiller {
  readonly names: ReadonlySet<string>
  readonly fill: (facts: PageFacts) => number | boolean | undefined
}

const offsetOfNext = (facts: PageFacts) => (hasNext(facts) ? facts.end : undefined)

const offsetOfPrevious = (facts: PageFacts) => (facts.offset > 0 ? offsetBefore(facts) : undefined)

const NUMBERS: readonly NamedFiller[] = [
  {
    names: set(
      'total totalcount totalitems totalelements totalresults totalrecords totalhits totalobjects totalrows totalsize ' +
        'numfound recordstotal recordsfiltered itemcount resultcount recordcount odatacount totalnumber totaldocs alltotal ' +
        'totalmatches totalentries totalamount totalitemcount',
    ),
    fill: ({ total }) => total,
  },
  {
    names: set(
      'numberofelements returned returnedcount itemsreturned itemsonpage countonpage currentcount pageitems length currentitemcount currentpagecount',
    ),
    fill: ({ count }) => count,
  },
  {
    names: set('page currentpage pagenumber pageno pageindex currentpageindex number currentpagenumber pagenum'),
    fill: pageNumber,
  },
  {
    names: set(
      'perpage pagesize limit size itemsperpage resultsperpage maxresults pagelimit recordsperpage take pagelength',
    ),
    fill: ({ size }) => size,
  },
  {
    names: set('pages totalpages pagecount lastpage numpages numberofpages pagetotal totalpagecount pagestotal'),
    fill: pagesOf,
  },
  { names: set('offset skip startindex startat start currentoffset'), fill: ({ offset }) => offset },
  {
    names: set('remaining remainingitemcount remainingcount'),
    fill: ({ total, end }) => Math.max(0, total - end),
  },
  { names: set('from firstitem'), fill: ({ offset, count }) => (count === 0 ? undefined : offset + 1) },
  { names: set('to lastitem'), fill: ({ offset, count }) => (count === 0 ? undefined : offset + count) },
  { names: set('next nextpage nextpagenumber'), fill: (facts) => (hasNext(facts) ? pageNumber(facts) + 1 : undefined) },
  {
    names: set('prev previous prevpage previouspage previouspagenumber'),
    fill: previousPage,
  },
  {
    names: set('nextoffset nextstart nextskip'),
    fill: offsetOfNext,
  },
]

const BOOLEANS: readonly NamedFiller[] = [
  {
    names: set(
      'hasmore hasnext hasnextpage more hasmoreresults hasmoreitems moreresults moreitems truncated istruncated moreavailable ismore hasmorepages hasmoredata nextpageexists',
    ),
    fill: hasNext,
  },
  { names: set('hasprevious hasprev haspreviouspage hasprevpage'), fill: ({ offset }) => offset > 0 },
  { names: set('first isfirst isfirstpage firstpage'), fill: ({ offset }) => offset === 0 },
  { names: set('last islast islastpage lastpage done isfinal complete iscomplete'), fill: (facts) => !hasNext(facts) },
  { names: set('empty isempty'), fill: ({ count }) => count === 0 },
  { names: set('success ok successful issuccess'), fill: () => true },
]

const LINKS: Readonly<Record<Rel, ReadonlySet<string>>> = {
  self: set('self selflink href selfurl current'),
  first: set('first firstpage firstlink firsturl firstpageurl firstpageuri firsturi'),
  prev: set(
    'prev previous prevpage previouspage prevlink previouslink prevurl previousurl prevpageurl previouspageurl ' +
      'previouspageuri prevpageuri previousuri prevuri prevcursor previouscursor previoustoken previouspagetoken ' +
      'prevpagetoken prevtoken before startcursor',
  ),
  next: set(
    'next nextpage nextlink nexturl nexthref nextpageurl nextpageuri nexturi odatanextlink nextcursor nextpagetoken ' +
      'nexttoken nextmarker cursor continue continuation continuationtoken endcursor after nextpagecursor nextcontinuationtoken ' +
      'nextstart nextpagelink pagetoken scrollid paginationtoken nextpagekey nextkey nextpagestart marker nextrecords nextrecordsurl',
  ),
  last: set('last lastpage lastlink lasturl lastpageurl lastpageuri lasturi'),
}

const TOKEN = /token|cursor|marker|contin|after|before|scroll|key/

/** Whether a member tells where a page begins as a number: `next_marker: 3000`. It is the number of items before it. */
function isNumberedToken(name: string, { types }: Shape): boolean {
  return (types.has('integer') || types.has('number')) && TOKEN.test(name) && relOf(name) !== undefined
}

/** What a response says of the page after it, by the members beside its list. */
export interface NextPage {
  /** Whether it says that there is one, or how to get it. */
  readonly isTold: boolean
  /** Whether it tells a number. */
  readonly isNumber: boolean
}

export function nextPageIn(document: unknown, schema: unknown): NextPage {
  const members = [...shapeOf(document, schema, 'any').properties].map(([name, member]) => {
    const shape = shapeOf(document, member, 'any')
    const plain = plainName(name)
    return { isTold: LINKS.next.has(plain) || BOOLEANS[0]?.names.has(plain), isNumber: isNumberedToken(plain, shape) }
  })
  return { isTold: members.some((one) => one.isTold), isNumber: members.some((one) => one.isNumber) }
}

/** Finds what fills a member beside a list; undefined for unknown members. */
export function fillOf(beside: Beside): Fill | undefined {
  const { name, shape } = beside
  if (isNumberOrBoolean(shape)) return numberFill(beside) ?? booleanFill(beside)
  return linkFill(beside) ?? constantFill(beside) ?? (mayBeText(name, shape) ? textFill(numberFill(beside)) : undefined)
}

function numberFill({ name, shape, hasTotal }: Beside): Fill | undefined {
  if (shape.types.has('boolean')) return undefined
  if (isNumberedToken(name, shape)) return relOf(name) === 'prev' ? offsetOfPrevious : offsetOfNext
  if (name === 'count') return ({ total, count }) => (hasTotal ? count : total)
  return NUMBERS.find(({ names }) => names.has(name))?.fill
}

function booleanFill({ name, shape }: Beside): Fill | undefined {
  return allows(shape, 'boolean') ? BOOLEANS.find(({ names }) => names.has(name))?.fill : undefined
}

/** Whether a number may be written as a text, as some services do. */
function mayBeText(name: string, { types }: Shape): boolean {
  return types.size === 0 || /total|page|count|limit|offset/.test(name)
}

function textFill(fill: Fill | undefined): Fill | undefined {
  return (
    fill &&
    ((facts) => {
      const value = fill(facts)
      return value === undefined ? undefined : String(value)
    })
  )
}

/** Whether a name is that of the total, so that `count` is the number of items on the page. */
export function isTotal(name: string): boolean {
  return NUMBERS[0]?.names.has(name) ?? false
}

function isNumberOrBoolean({ types }: Shape): boolean {
  return types.has('integer') || types.has('number') || types.has('boolean')
}

function constantFill({ name, shape }: Beside): Fill | undefined {
  const { enum: values, const: constant } = shape.keywords
  if (name === 'object') return () => String(constant ?? (Array.isArray(values) ? values[0] : 'list'))
  if (name === 'firstid') return ({ firstId }) => firstId
  return name === 'lastid' ? ({ lastId }) => lastId : undefined
}

/** `href` of `next`, or a link of its own. */
const ADDRESSES = new Set(['href', 'url', 'uri', 'link'])

/** `offset` of `next_page`. */
const PLACES = new Set(['offset', 'page', 'start', 'skip'])

function relOf(name: string): Rel | undefined {
  return (Object.keys(LINKS) as Rel[]).find((one) => LINKS[one].has(name))
}

/** A link is a token or a URL, as its name, its format or what the operation takes say. */
function linkFill({ name, holder, shape, usesTokens }: Beside): Fill | undefined {
  if (usesTokens && isStartToken(name)) return (facts) => facts.startToken()
  const outer = ADDRESSES.has(name) ? relOf(holder) : undefined
  if (outer) return inForm(shape, ({ link }) => link(outer))
  const isLink = /links?$/.test(holder)
  if (name === 'url' && !isLink) return inForm(shape, ({ link }) => link('self')?.split('?')[0])
  const rel = relOf(name) ?? (PLACES.has(name) ? relOf(holder) : undefined)
  if (!rel) return undefined
  const url = inForm(shape, ({ link }) => link(rel))
  if (isLink || isUrl(name, shape)) return url
  if (rel !== 'next' && rel !== 'prev') return undefined
  const isToken = usesTokens || TOKEN.test(name) || /(cursor|token|marker)s?$/.test(holder)
  return isToken ? ({ token }) => token(rel) : url
}

/** Whether a name is that of a token for what is created later: `startPageToken`, `newStartPageToken`, `nextSyncToken`. */
function isStartToken(name: string): boolean {
  return /^(?:new|next)?(?:start(?:page)?|sync|changes?|delta|latest)(?:token|cursor)$/.test(name)
}

/** The member of a response that tells the token where a list begins: `{"startPageToken": "…"}`. Undefined for other responses. */
export function startTokenMember(document: unknown, schema: unknown): string | undefined {
  const names = [...shapeOf(document, schema, 'any').properties.keys()]
  return names.find((name) => isStartToken(plainName(name)))
}

function isUrl(name: string, { keywords }: Shape): boolean {
  const { format, example, description } = keywords
  if (typeof format === 'string' && /^(uri|url|iri)/.test(format)) return true
  if (/ur[il]$|link$|href$/.test(name)) return true
  if (typeof example === 'string' && /^(https?:|\/)/.test(example)) return true
  return (
    typeof description === 'string' &&
    /\b(URL|URI|link|hyperlink)\b/i.test(description) &&
    !/token|cursor/i.test(description)
  )
}

/** A URL in the form of the schema: relative or absolute. */
function inForm({ keywords: { format, pattern } }: Shape, path: (facts: PageFacts) => string | undefined): Fill {
  const isRelative = format === 'uri-reference' || (typeof pattern === 'string' && pattern.startsWith('^/'))
  return (facts) => {
    const found = path(facts)
    return found === undefined || isRelative ? found : `${facts.origin}${found}`
  }
}
