import { textOf } from '../changes.ts'
import type { Edit } from './edit.ts'

/** What may follow a status: by requests, and by time. */
export function StatusNote({
  pointer,
  value,
  edit,
}: {
  readonly pointer: string
  readonly value: unknown
  readonly edit: Edit
}) {
  const status = edit.statuses.find(({ member }) => member === pointer)
  const change = status?.changes.find(({ from }) => from === value)
  if (!change) return null
  const { to, byTime } = change
  return (
    <p class="field-note">
      {to.length === 0 ? 'Requests cannot change it.' : `Requests may change it to ${to.map(String).join(' or ')}.`}{' '}
      {byTime ? noteOnTime(byTime, edit.since[pointer], edit.original(pointer) === value) : null}
    </p>
  )
}

/** @param since when it was set; undefined for documents of the start, whose status time does not change */
function noteOnTime(
  { to, milliseconds }: { readonly to: unknown; readonly milliseconds: number },
  since: unknown,
  isSaved: boolean,
): string {
  if (!isSaved) return `It becomes ${textOf(to)} ${inWords(milliseconds)} after it is saved.`
  if (typeof since !== 'string') return 'Time does not change it, since the sandbox began with it.'
  const due = new Date(Date.parse(since) + milliseconds).toISOString()
  return `It becomes ${textOf(to)} at ${due.slice(0, 16).replace('T', ' ')} UTC.`
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

function inWords(milliseconds: number): string {
  const [name, length] = UNITS.find(([, size]) => milliseconds >= size && milliseconds % size === 0) ?? [
    'second',
    1_000,
  ]
  const count = milliseconds / length
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
