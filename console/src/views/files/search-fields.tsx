import type { ComponentChildren } from 'preact'
import { apiKey } from '../../session.ts'
import { type DateRow, FIELDS, type FilterRow, OPERATORS, type SearchForm, type SortRow } from './search-request.ts'

interface SearchFieldsProps {
  readonly form: SearchForm
  readonly change: (form: SearchForm) => void
  readonly submit: () => void
  readonly needsKey: boolean
  readonly isSending: boolean
}

/** The search that the API offers, as a form. */
export function SearchFields({ form, change, submit, needsKey, isSending }: SearchFieldsProps) {
  const set = (part: Partial<SearchForm>) => change({ ...form, ...part })
  return (
    <form
      class="search-form"
      aria-label="Search"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Text
        label="Directory"
        value={form.directoryPath}
        placeholder="all"
        set={(directoryPath) => set({ directoryPath })}
      />
      <Check
        label="Only what lies directly in it"
        value={form.immediateChildren}
        set={(immediateChildren) => set({ immediateChildren })}
      />
      <Rows
        title="Filters"
        one="filter"
        rows={form.filters}
        fresh={{ field: 'name', operator: 'LIKE', values: '', not: false }}
        set={(filters) => set({ filters })}
        fields={(row, setRow) => <Filter row={row} set={setRow} />}
      />
      <Rows
        title="Dates"
        one="date filter"
        rows={form.dateFilters}
        fresh={{ start: '', end: '', not: false }}
        set={(dateFilters) => set({ dateFilters })}
        fields={(row, setRow) => <DateFilter row={row} set={setRow} />}
      />
      <Rows
        title="Sort by"
        one="sort key"
        rows={form.sorts}
        fresh={{ field: 'created', order: 'DESC' }}
        set={(sorts) => set({ sorts })}
        fields={(row, setRow) => <Sort row={row} set={setRow} />}
      />
      <div class="form-row">
        <Text
          label="Entries on a page"
          value={form.limit}
          placeholder="as the service likes"
          set={(limit) => set({ limit })}
        />
        {needsKey ? <Text label="API key" value={apiKey.value} set={(key) => (apiKey.value = key)} /> : null}
      </div>
      <div class="buttons search-buttons">
        <button class="primary" disabled={isSending}>
          {isSending ? 'Searching…' : 'Search'}
        </button>
      </div>
    </form>
  )
}

interface RowsProps<Row> {
  readonly title: string
  readonly one: string
  readonly rows: readonly Row[]
  readonly fresh: Row
  readonly set: (rows: readonly Row[]) => void
  readonly fields: (row: Row, set: (part: Partial<Row>) => void) => ComponentChildren
}

function Rows<Row>({ title, one, rows, fresh, set, fields }: RowsProps<Row>) {
  return (
    <fieldset class="search-rows">
      <legend>{title}</legend>
      {rows.map((row, index) => (
        <div key={index} class="search-row" role="group" aria-label={`${one} ${index + 1}`}>
          {fields(row, (part) => set(rows.map((other, at) => (at === index ? { ...other, ...part } : other))))}
          <button
            type="button"
            class="search-remove"
            aria-label={`Remove ${one} ${index + 1}`}
            onClick={() => set(rows.filter((_, at) => at !== index))}
          >
            ×
          </button>
        </div>
      ))}
      <button type="button" class="search-add" onClick={() => set([...rows, fresh])}>
        Add a {one}
      </button>
    </fieldset>
  )
}

function Filter({ row, set }: { readonly row: FilterRow; readonly set: (part: Partial<FilterRow>) => void }) {
  return (
    <>
      <Choice label="Field" value={row.field} choices={FIELDS} set={(field) => set({ field })} />
      <Choice label="Operator" value={row.operator} choices={OPERATORS} set={(operator) => set({ operator })} />
      {row.operator === 'IS_NULL' ? null : (
        <textarea
          rows={1}
          class="search-values"
          aria-label="Values, one a line"
          placeholder={
            row.operator === 'LIKE' ? 'text; % and _ are wild' : row.operator === 'IN' ? 'values, one a line' : 'value'
          }
          value={row.values}
          onInput={(event) => set({ values: event.currentTarget.value })}
        />
      )}
      <Check label="Not" value={row.not} set={(not) => set({ not })} />
    </>
  )
}

function DateFilter({ row, set }: { readonly row: DateRow; readonly set: (part: Partial<DateRow>) => void }) {
  const bound = (label: string, name: 'start' | 'end') => (
    <label class="field search-bound">
      <span>{label}</span>
      <input type="datetime-local" value={row[name]} onInput={(event) => set({ [name]: event.currentTarget.value })} />
    </label>
  )
  return (
    <>
      {bound('Created from (UTC)', 'start')}
      {bound('to (UTC)', 'end')}
      <Check label="Not" value={row.not} set={(not) => set({ not })} />
    </>
  )
}

function Sort({ row, set }: { readonly row: SortRow; readonly set: (part: Partial<SortRow>) => void }) {
  return (
    <>
      <Choice label="Field" value={row.field} choices={FIELDS} set={(field) => set({ field })} />
      <Choice label="Direction" value={row.order} choices={['ASC', 'DESC']} set={(order) => set({ order })} />
    </>
  )
}

interface FieldProps<Value> {
  readonly label: string
  readonly value: Value
  readonly set: (value: Value) => void
}

function Text({ label, value, set, placeholder }: FieldProps<string> & { readonly placeholder?: string }) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        value={value}
        spellcheck={false}
        {...(placeholder === undefined ? {} : { placeholder })}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </label>
  )
}

function Check({ label, value, set }: FieldProps<boolean>) {
  return (
    <label class="search-check">
      <input type="checkbox" checked={value} onChange={(event) => set(event.currentTarget.checked)} />
      {label}
    </label>
  )
}

function Choice({ label, value, set, choices }: FieldProps<string> & { readonly choices: readonly string[] }) {
  return (
    <select aria-label={label} value={value} onChange={(event) => set(event.currentTarget.value)}>
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  )
}
