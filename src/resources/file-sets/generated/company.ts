import type { Steps } from '../../../engine/slices.ts'
import { createVocabulary, type Vocabulary } from '../../../values/vocabulary.ts'
import type { Generation } from '../entries/generated.ts'
import type { FileKind, LeafDirectory } from './plan.ts'

/**
 * The directories of an invented company: departments, their areas, then years, months and projects as the number of files asks
 * for more room. What lies in one place fits together: names, dates, sizes and authors.
 */
export function* companyLeaves({ seed, files, firstMoment, choices }: Generation): Steps<LeafDirectory[]> {
  if (files === 0) return []
  const vocabulary = createVocabulary(seed, choices?.locale ?? 'en')
  yield
  const [general, ...areas] = readAreas(vocabulary)
  const root: LeafDirectory = { ...general, ...span(firstMoment) }
  const wanted = Math.min(Math.ceil(files / FILES_PER_LEAF), MAX_LEAVES)
  const leaves = [root]
  for (const leaf of growLeaves(areas, years(firstMoment), vocabulary.campaigns)) {
    if (leaves.length >= wanted) break
    leaves.push(leaf)
    if (leaves.length % MAX_IN_A_STEP === 0) yield
  }
  return leaves
}

const DAY = 86_400_000
const TEAM = 4
const YEARS = 4
const MAX_IN_A_STEP = 2048
const FILES_PER_LEAF = 8
/** Few enough for a directory tree that is held as text, many enough that ten million files come to 200 a directory. */
const MAX_LEAVES = 48_000

interface Days {
  readonly firstDay: number
  readonly days: number
}

interface Year extends Days {
  readonly year: number
}

type Area = Pick<LeafDirectory, 'path' | 'topic'>

/** Areas first, then their years, then the months, then projects in the months: a larger set has a deeper tree. */
function* growLeaves(
  areas: readonly Area[],
  years: readonly Year[],
  projects: readonly string[],
): Generator<LeafDirectory> {
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

/** The root, then the areas of all departments; each department has a team of its own. */
function readAreas({ userIds, ...words }: Vocabulary): [Area, ...Area[]] {
  const kinds = new Map(rowsOf(KINDS).map((row) => [row[0], toKind(row)]))
  const departments: string[] = []
  const areas = rowsOf(AREAS).map(([directory = '', about = '', separator = '', ...stems]): Area => {
    const path = directory === '/' ? '' : directory
    const [department = ''] = path.split('/')
    if (department !== '' && !departments.includes(department)) departments.push(department)
    const firstUser = Math.max(0, departments.indexOf(department)) * TEAM
    const topic = {
      stems: stems.map((stem) => {
        const [word = '', extension] = stem.split('.')
        return { word, kind: kinds.get(extension) ?? toKind([]) }
      }),
      subjects: words[about as keyof typeof words],
      separator: separator === 'space' ? ' ' : separator,
      team: userIds.slice(firstUser, firstUser + TEAM),
    }
    return { path, topic }
  })
  return areas as [Area, ...Area[]]
}

function toKind([extension = '', fileType = '', contentType = '', smallest, doublings]: readonly string[]): FileKind {
  return { extension, fileType, contentType, smallest: Number(smallest), doublings: Number(doublings) }
}

function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split(/ +/))
}

/** Extension, category, media type, smallest size in bytes, and by how many doublings the sizes spread. */
const KINDS = `
pdf  DOCUMENT application/pdf                                                           24000 8
docx DOCUMENT application/vnd.openxmlformats-officedocument.wordprocessingml.document   12000 7
xlsx DOCUMENT application/vnd.openxmlformats-officedocument.spreadsheetml.sheet         8000 10
pptx DOCUMENT application/vnd.openxmlformats-officedocument.presentationml.presentation 90000 9
csv  TEXT     text/csv                                                                  400 14
txt  TEXT     text/plain                                                                120 9
md   TEXT     text/markdown                                                             300 8
json TEXT     application/json                                                          200 13
log  TEXT     text/plain                                                                5000 13
png  IMAGE    image/png                                                                 6000 10
jpg  IMAGE    image/jpeg                                                                60000 7
svg  IMAGE    image/svg+xml                                                             700 7
mp4  VIDEO    video/mp4                                                                 4000000 8
mp3  AUDIO    audio/mpeg                                                                900000 6
zip  OTHER    application/zip                                                           30000 13
`

/** Directory, what its names are about, what separates the parts of a name, and how names begin and end. */
const AREAS = `
/                     people    -     Welcome.pdf Directory.xlsx Notes.txt Portrait.jpg
finance/invoices      companies _     Invoice.pdf Receipt.pdf Reminder.docx CreditNote.pdf
finance/budgets       products  -     Budget.xlsx Forecast.xlsx Variance.csv Review.pptx
finance/audits        companies -     Audit.pdf Evidence.zip Findings.docx Ledger.csv
finance/tax           cities    _     Return.pdf Assessment.pdf Schedule.xlsx Filing.zip
hr/contracts          people    _     Contract.pdf Offer.docx Amendment.pdf Reference.docx
hr/payroll            cities    -     Payroll.xlsx Payslips.zip Hours.csv Bonus.xlsx
hr/recruiting         people    space CV.pdf Interview.docx Portrait.jpg Assignment.zip
hr/training           campaigns -     Course.pptx Recording.mp4 Handout.pdf Attendance.csv
legal/agreements      companies _     NDA.pdf Agreement.docx Annex.pdf Signature.png
legal/disputes        companies space Claim.pdf Reply.docx Exhibit.jpg Hearing.mp3
legal/privacy         products  -     Assessment.docx Register.xlsx Notice.pdf Request.txt
legal/trademarks      products  -     Filing.pdf Logo.svg Search.csv Certificate.pdf
marketing/campaigns   campaigns -     Brief.docx Banner.png Spot.mp4 Results.xlsx
marketing/brand       products  _     Logo.svg Packshot.jpg Guide.pdf Palette.png
marketing/events      cities    space Agenda.docx Photos.zip Keynote.pptx Guests.csv
marketing/podcast     people    -     Episode.mp3 Transcript.txt Cover.jpg Shownotes.md
sales/quotes          companies _     Quote.pdf Pricing.xlsx Terms.docx Order.pdf
sales/pipeline        cities    -     Pipeline.xlsx Leads.csv Deck.pptx Minutes.docx
sales/accounts        companies -     Plan.pptx Review.docx Usage.csv Call.mp3
sales/regions         cities    space Map.png Targets.xlsx Report.pdf Export.csv
engineering/designs   products  -     Design.md Diagram.svg Review.md Prototype.zip
engineering/releases  products  _     Release.zip Changelog.md Manifest.json Checksums.txt
engineering/incidents products  -     Postmortem.md Timeline.csv Trace.json Screenshot.png
engineering/logs      cities    _     access.log error.log metrics.csv dump.zip
operations/shipping   cities    -     Manifest.csv Label.pdf Customs.pdf Damage.jpg
operations/suppliers  companies _     Order.pdf Delivery.pdf Rating.xlsx Certificate.pdf
operations/facilities cities    space Floorplan.svg Inspection.docx Photo.jpg Lease.pdf
operations/quality    products  -     Test.xlsx Sample.jpg Complaint.docx Measurements.csv
product/research      people    -     Interview.mp3 Summary.md Survey.csv Recording.mp4
product/roadmap       products  space Roadmap.pptx Vision.docx Estimate.xlsx Sketch.png
product/specs         products  _     Spec.md Mockup.png Schema.json Decision.md
product/demos         products  -     Demo.mp4 Script.txt Slides.pptx Assets.zip
support/tickets       people    -     Ticket.json Screenshot.png Log.log Transcript.txt
support/manuals       products  _     Manual.pdf Quickstart.pdf Figure.svg Walkthrough.mp4
support/statistics    cities    -     Volume.csv Satisfaction.xlsx Trend.png Summary.docx
support/calls         people    _     Call.mp3 Notes.md Followup.docx Consent.pdf
it/backups            cities    _     Backup.zip Inventory.csv Verify.log Policy.pdf
it/licences           companies -     Licence.pdf Renewal.docx Seats.xlsx Key.txt
it/onboarding         people    space Checklist.docx Badge.png Accounts.csv Guide.pdf
it/security           products  -     Scan.json Advisory.md Exceptions.xlsx Review.pdf
`
