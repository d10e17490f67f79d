import { createVocabulary, type Vocabulary } from '../../values/vocabulary.ts'
import type { Kind, Leaf, Topic } from './store/generated-plan.ts'

/**
 * The directories of an invented company: departments, their areas, then years, months and projects as the number of files asks
 * for more room. What lies in one place fits together: names, dates, sizes and authors.
 */
export function companyLeaves(seed: number, files: number, firstMoment: number): Leaf[] {
  if (files === 0) return []
  const vocabulary = createVocabulary(seed)
  const areas = DEPARTMENTS.flatMap(([department, places], at) => {
    const team = vocabulary.userIds.slice(at * TEAM, (at + 1) * TEAM)
    return places.map((place) => ({ path: `${department}/${place.area}`, topic: createTopic(place, vocabulary, team) }))
  })
  const root: Leaf = {
    path: '',
    topic: createTopic(GENERAL, vocabulary, vocabulary.userIds.slice(0, TEAM)),
    ...span(firstMoment),
  }
  const wanted = Math.min(Math.ceil(files / FILES_PER_LEAF), MOST_LEAVES)
  const leaves = [root]
  for (const leaf of growLeaves(areas, years(firstMoment), vocabulary.campaigns)) {
    if (leaves.length >= wanted) break
    leaves.push(leaf)
  }
  return leaves
}

const DAY = 86_400_000
const TEAM = 4
const YEARS = 4
const FILES_PER_LEAF = 8
/** Few enough for a directory tree that is held as text, many enough that ten million files come to 200 a directory. */
const MOST_LEAVES = 48_000

interface Days {
  readonly firstDay: number
  readonly days: number
}

interface Year extends Days {
  readonly year: number
}

type Area = Pick<Leaf, 'path' | 'topic'>

/** Areas first, then their years, then the months, then projects in the months: a larger set has a deeper tree. */
function* growLeaves(areas: readonly Area[], years: readonly Year[], projects: readonly string[]): Generator<Leaf> {
  const [newest] = years
  const oldest = years.at(-1)
  if (!newest || !oldest) return
  const whole = { firstDay: oldest.firstDay, days: (newest.firstDay - oldest.firstDay) / DAY + newest.days }
  for (const area of areas) yield { ...area, ...whole }
  for (const year of years)
    for (const area of areas) yield { ...inside(area, String(year.year)), firstDay: year.firstDay, days: year.days }
  const months = years.flatMap((year) => monthsOf(year))
  for (const month of months)
    for (const area of areas) yield { ...inside(area, month.name), firstDay: month.firstDay, days: month.days }
  for (const project of projects) {
    for (const month of months) {
      for (const area of areas)
        yield { ...inside(area, `${month.name}/${project}`), firstDay: month.firstDay, days: month.days }
    }
  }
}

function inside({ path, topic }: Area, below: string): Area {
  return { path: `${path}/${below}`, topic }
}

/** The last four years that have at least 28 days behind them, newest first; the newest ends the day before the first moment. */
function years(firstMoment: number): Year[] {
  const today = Math.floor(firstMoment / DAY) * DAY
  const newest = new Date(today - 28 * DAY).getUTCFullYear()
  return Array.from({ length: YEARS }, (_, ago) => {
    const year = newest - ago
    const firstDay = Date.UTC(year, 0, 1)
    return { year, firstDay, days: (Math.min(Date.UTC(year + 1, 0, 1), today) - firstDay) / DAY }
  })
}

function span(firstMoment: number): Days {
  const all = years(firstMoment)
  const firstDay = all.at(-1)?.firstDay ?? 0
  return { firstDay, days: ((all[0]?.firstDay ?? 0) - firstDay) / DAY + (all[0]?.days ?? 0) }
}

/** The months of a year that are over. */
function monthsOf({ year, firstDay, days }: Year): (Days & { name: string })[] {
  return Array.from({ length: 12 }, (_, month) => ({
    name: `${year}/${String(month + 1).padStart(2, '0')}`,
    firstDay: Date.UTC(year, month, 1),
    days: (Date.UTC(year, month + 1, 1) - Date.UTC(year, month, 1)) / DAY,
  })).filter((month) => month.firstDay + month.days * DAY <= firstDay + days * DAY)
}

function kind(extension: string, fileType: string, contentType: string, smallest: number, doublings: number): Kind {
  return { extension, fileType, contentType, smallest, doublings }
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const PDF = kind('pdf', 'DOCUMENT', 'application/pdf', 24_000, 8)
const DOCX = kind('docx', 'DOCUMENT', `${OFFICE}.wordprocessingml.document`, 12_000, 7)
const XLSX = kind('xlsx', 'DOCUMENT', `${OFFICE}.spreadsheetml.sheet`, 8_000, 10)
const PPTX = kind('pptx', 'DOCUMENT', `${OFFICE}.presentationml.presentation`, 90_000, 9)
const CSV = kind('csv', 'TEXT', 'text/csv', 400, 14)
const TXT = kind('txt', 'TEXT', 'text/plain', 120, 9)
const MD = kind('md', 'TEXT', 'text/markdown', 300, 8)
const JSON_FILE = kind('json', 'TEXT', 'application/json', 200, 13)
const LOG = kind('log', 'TEXT', 'text/plain', 5_000, 13)
const PNG = kind('png', 'IMAGE', 'image/png', 6_000, 10)
const JPG = kind('jpg', 'IMAGE', 'image/jpeg', 60_000, 7)
const SVG = kind('svg', 'IMAGE', 'image/svg+xml', 700, 7)
const MP4 = kind('mp4', 'VIDEO', 'video/mp4', 4_000_000, 8)
const MP3 = kind('mp3', 'AUDIO', 'audio/mpeg', 900_000, 6)
const ZIP = kind('zip', 'OTHER', 'application/zip', 30_000, 13)

interface PageStart {
  readonly area: string
  readonly about: Exclude<keyof Vocabulary, 'userIds'>
  readonly separator: '-' | '_' | ' '
  readonly stems: readonly (readonly [word: string, kind: Kind])[]
}

function createTopic({ about, separator, stems }: PageStart, vocabulary: Vocabulary, team: readonly number[]): Topic {
  return { stems: stems.map(([word, kind]) => ({ word, kind })), subjects: vocabulary[about], separator, team }
}

function place(
  area: string,
  about: PageStart['about'],
  separator: PageStart['separator'],
  ...stems: PageStart['stems']
): PageStart {
  return { area, about, separator, stems }
}

const GENERAL = place('', 'people', '-', ['Welcome', PDF], ['Directory', XLSX], ['Notes', TXT], ['Portrait', JPG])

const DEPARTMENTS: readonly (readonly [department: string, places: readonly PageStart[]])[] = [
  [
    'finance',
    [
      place('invoices', 'companies', '_', ['Invoice', PDF], ['Receipt', PDF], ['Reminder', DOCX], ['CreditNote', PDF]),
      place('budgets', 'products', '-', ['Budget', XLSX], ['Forecast', XLSX], ['Variance', CSV], ['Review', PPTX]),
      place('audits', 'companies', '-', ['Audit', PDF], ['Evidence', ZIP], ['Findings', DOCX], ['Ledger', CSV]),
      place('tax', 'cities', '_', ['Return', PDF], ['Assessment', PDF], ['Schedule', XLSX], ['Filing', ZIP]),
    ],
  ],
  [
    'hr',
    [
      place('contracts', 'people', '_', ['Contract', PDF], ['Offer', DOCX], ['Amendment', PDF], ['Reference', DOCX]),
      place('payroll', 'cities', '-', ['Payroll', XLSX], ['Payslips', ZIP], ['Hours', CSV], ['Bonus', XLSX]),
      place('recruiting', 'people', ' ', ['CV', PDF], ['Interview', DOCX], ['Portrait', JPG], ['Assignment', ZIP]),
      place('training', 'campaigns', '-', ['Course', PPTX], ['Recording', MP4], ['Handout', PDF], ['Attendance', CSV]),
    ],
  ],
  [
    'legal',
    [
      place('agreements', 'companies', '_', ['NDA', PDF], ['Agreement', DOCX], ['Annex', PDF], ['Signature', PNG]),
      place('disputes', 'companies', ' ', ['Claim', PDF], ['Reply', DOCX], ['Exhibit', JPG], ['Hearing', MP3]),
      place('privacy', 'products', '-', ['Assessment', DOCX], ['Register', XLSX], ['Notice', PDF], ['Request', TXT]),
      place('trademarks', 'products', '-', ['Filing', PDF], ['Logo', SVG], ['Search', CSV], ['Certificate', PDF]),
    ],
  ],
  [
    'marketing',
    [
      place('campaigns', 'campaigns', '-', ['Brief', DOCX], ['Banner', PNG], ['Spot', MP4], ['Results', XLSX]),
      place('brand', 'products', '_', ['Logo', SVG], ['Packshot', JPG], ['Guide', PDF], ['Palette', PNG]),
      place('events', 'cities', ' ', ['Agenda', DOCX], ['Photos', ZIP], ['Keynote', PPTX], ['Guests', CSV]),
      place('podcast', 'people', '-', ['Episode', MP3], ['Transcript', TXT], ['Cover', JPG], ['Shownotes', MD]),
    ],
  ],
  [
    'sales',
    [
      place('quotes', 'companies', '_', ['Quote', PDF], ['Pricing', XLSX], ['Terms', DOCX], ['Order', PDF]),
      place('pipeline', 'cities', '-', ['Pipeline', XLSX], ['Leads', CSV], ['Deck', PPTX], ['Minutes', DOCX]),
      place('accounts', 'companies', '-', ['Plan', PPTX], ['Review', DOCX], ['Usage', CSV], ['Call', MP3]),
      place('regions', 'cities', ' ', ['Map', PNG], ['Targets', XLSX], ['Report', PDF], ['Export', CSV]),
    ],
  ],
  [
    'engineering',
    [
      place('designs', 'products', '-', ['Design', MD], ['Diagram', SVG], ['Review', MD], ['Prototype', ZIP]),
      place(
        'releases',
        'products',
        '_',
        ['Release', ZIP],
        ['Changelog', MD],
        ['Manifest', JSON_FILE],
        ['Checksums', TXT],
      ),
      place(
        'incidents',
        'products',
        '-',
        ['Postmortem', MD],
        ['Timeline', CSV],
        ['Trace', JSON_FILE],
        ['Screenshot', PNG],
      ),
      place('logs', 'cities', '_', ['access', LOG], ['error', LOG], ['metrics', CSV], ['dump', ZIP]),
    ],
  ],
  [
    'operations',
    [
      place('shipping', 'cities', '-', ['Manifest', CSV], ['Label', PDF], ['Customs', PDF], ['Damage', JPG]),
      place('suppliers', 'companies', '_', ['Order', PDF], ['Delivery', PDF], ['Rating', XLSX], ['Certificate', PDF]),
      place('facilities', 'cities', ' ', ['Floorplan', SVG], ['Inspection', DOCX], ['Photo', JPG], ['Lease', PDF]),
      place('quality', 'products', '-', ['Test', XLSX], ['Sample', JPG], ['Complaint', DOCX], ['Measurements', CSV]),
    ],
  ],
  [
    'product',
    [
      place('research', 'people', '-', ['Interview', MP3], ['Summary', MD], ['Survey', CSV], ['Recording', MP4]),
      place('roadmap', 'products', ' ', ['Roadmap', PPTX], ['Vision', DOCX], ['Estimate', XLSX], ['Sketch', PNG]),
      place('specs', 'products', '_', ['Spec', MD], ['Mockup', PNG], ['Schema', JSON_FILE], ['Decision', MD]),
      place('demos', 'products', '-', ['Demo', MP4], ['Script', TXT], ['Slides', PPTX], ['Assets', ZIP]),
    ],
  ],
  [
    'support',
    [
      place('tickets', 'people', '-', ['Ticket', JSON_FILE], ['Screenshot', PNG], ['Log', LOG], ['Transcript', TXT]),
      place('manuals', 'products', '_', ['Manual', PDF], ['Quickstart', PDF], ['Figure', SVG], ['Walkthrough', MP4]),
      place('statistics', 'cities', '-', ['Volume', CSV], ['Satisfaction', XLSX], ['Trend', PNG], ['Summary', DOCX]),
      place('calls', 'people', '_', ['Call', MP3], ['Notes', MD], ['Followup', DOCX], ['Consent', PDF]),
    ],
  ],
  [
    'it',
    [
      place('backups', 'cities', '_', ['Backup', ZIP], ['Inventory', CSV], ['Verify', LOG], ['Policy', PDF]),
      place('licences', 'companies', '-', ['Licence', PDF], ['Renewal', DOCX], ['Seats', XLSX], ['Key', TXT]),
      place('onboarding', 'people', ' ', ['Checklist', DOCX], ['Badge', PNG], ['Accounts', CSV], ['Guide', PDF]),
      place('security', 'products', '-', ['Scan', JSON_FILE], ['Advisory', MD], ['Exceptions', XLSX], ['Review', PDF]),
    ],
  ],
]
