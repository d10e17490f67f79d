import { Check } from './check.tsx'
import { Editor } from './editor.tsx'
import { EXAMPLES } from './examples.ts'
import { contract, copyLink, download, edit, notice, openFile, served, type Tab, tab } from './session.ts'
import { Try } from './try.tsx'

const TABS: Readonly<Record<Tab, string>> = {
  document: 'Document',
  try: 'Try',
  docs: 'API docs',
  console: 'Console',
}

export function App() {
  return (
    <div class="playground" data-tab={tab.value}>
      <Header />
      <nav class="tabs" aria-label="Views">
        {Object.entries(TABS).map(([name, title]) => (
          <button
            key={name}
            class={`tab-${name}`}
            aria-pressed={tab.value === name}
            onClick={() => (tab.value = name as Tab)}
          >
            {title}
          </button>
        ))}
      </nav>
      <section class="source" aria-label="Document">
        <Editor />
        <Check />
      </section>
      <main class="views">
        <div hidden={tab.value !== 'try' && tab.value !== 'document'}>
          <Try />
        </div>
        <Frame name="docs" title="API docs" page="./__mock/docs.html" />
        <Frame name="console" title="Console" page="./__mock/" />
      </main>
      <p class="notice" role="status" hidden={notice.value === ''}>
        <span>{notice.value}</span>
        <button aria-label="Close" onClick={() => (notice.value = '')}>
          ×
        </button>
      </p>
    </div>
  )
}

function Header() {
  return (
    <header class="header">
      <a class="brand" href="../">
        <img src="./__mock/icon.svg" alt="" width="24" height="24" />
        Standin
      </a>
      <h1>Playground</h1>
      <span class="rest" />
      <select
        aria-label="Examples"
        value=""
        onChange={({ currentTarget }) => {
          const example = EXAMPLES[currentTarget.value as keyof typeof EXAMPLES]
          edit(example.text)
          currentTarget.value = ''
        }}
      >
        <option value="" hidden>
          Examples
        </option>
        {Object.entries(EXAMPLES).map(([name, { title }]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      <label class="file">
        Open a file
        <input
          type="file"
          accept=".yaml,.yml,.json"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file) openFile(file)
            currentTarget.value = ''
          }}
        />
      </label>
      <button onClick={copyLink} disabled={contract.value === ''}>
        Copy link
      </button>
      <button class="primary" onClick={download} disabled={!served.value}>
        Download project
      </button>
    </header>
  )
}

/** Views that were opened once. They stay, so that the console keeps what it shows. */
const opened = new Set<Tab>()

/** A page of a stand-in. It is loaded when it is opened first, and again for each document that is served. */
function Frame({ name, title, page }: { readonly name: Tab; readonly title: string; readonly page: string }) {
  if (tab.value === name) opened.add(name)
  const { value } = served
  if (!value || !opened.has(name)) return null
  return <iframe key={value.id} title={title} src={page} hidden={tab.value !== name} />
}
