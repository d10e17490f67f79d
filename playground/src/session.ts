import { signal } from '@preact/signals'
import { EXAMPLES, isExample } from './examples.ts'
import type { SentRequest, Served } from './engine.ts'
import { documentOf, linkTo } from './share.ts'

/** The views beside the document; in a narrow window the document is one of them. */
export type Tab = 'document' | 'try' | 'docs' | 'console'

export const tab = signal<Tab>('try')
/** The text in the editor. */
export const contract = signal('')
/** The document that is served, which is an earlier one while the text is refused. */
export const served = signal<Served | undefined>(undefined)
/** Why the text is not served. */
export const complaints = signal<readonly string[]>([])
export const isLoading = signal(true)
/** What was done, or why it was not, until the next. */
export const notice = signal('')
/** A request that a link of the console or the docs leads to, such as the contract. */
export const asked = signal<SentRequest | undefined>(undefined)

/** Milliseconds after the last change of the text. */
const PAUSE = 400
let timer: ReturnType<typeof setTimeout> | undefined

export function edit(text: string): void {
  contract.value = text
  notice.value = ''
  clearTimeout(timer)
  timer = setTimeout(() => void run(), PAUSE)
}

/** Serves the text from the beginning; one that is refused leaves what is served. */
async function run(): Promise<void> {
  const { serve } = await import('./engine.ts')
  const before = served.value
  try {
    served.value = serve(contract.value, (before?.id ?? 0) + 1)
    complaints.value = []
    await before?.standin.stop()
  } catch (error) {
    complaints.value = complaintsOf(error)
  }
  isLoading.value = false
}

/** What a StartupError lists. */
function complaintsOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)]
  return 'complaints' in error ? (error.complaints as readonly string[]) : [error.message]
}

/** Opens the document of the address, an example that it names, or the first example. */
export async function openAddress(): Promise<void> {
  const name = /^#example=(.*)/.exec(location.hash)?.[1]
  try {
    const shared = await documentOf(location.hash)
    contract.value = shared ?? EXAMPLES[isExample(name) ? name : 'tickets'].text
  } catch (error) {
    contract.value = EXAMPLES.tickets.text
    notice.value = (error as Error).message
  }
  await run()
}

export function openFile(file: File): void {
  file.text().then(edit, (error: unknown) => (notice.value = String(error)))
}

export function copyLink(): void {
  const copy = async () => {
    const link = await linkTo(contract.value, location.href)
    history.replaceState(null, '', link)
    await navigator.clipboard.writeText(link)
  }
  tell(copy(), 'The link is copied. The document is in it, and is sent to no server.')
}

export function download(): void {
  const save = async () => {
    const { projectOf } = await import('./project.ts')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await projectOf(contract.value))
    link.download = 'standin-project.zip'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  tell(save(), 'Unzip it, install Standin there, and run `npx standin serve --config standin.yaml`.')
}

function tell(done: Promise<void>, success: string): void {
  done.then(
    () => (notice.value = success),
    (error: unknown) => (notice.value = complaintsOf(error).join(' ')),
  )
}
