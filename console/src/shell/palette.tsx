import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { control, messageOf } from '../session.ts'
import { type Command, commandsOf, findCommands, type Listed } from './commands.ts'
import { openDialog } from './keyboard.ts'
import { Modal } from './modal.tsx'
import { notice } from './notice.tsx'
import './palette.css'

/** Finds a view, an action, a sandbox, an operation or a collection by its name. */
export function Palette() {
  return (
    <Modal
      label="Search"
      isOpen={openDialog.value === 'palette'}
      close={() => {
        if (openDialog.value === 'palette') openDialog.value = undefined
      }}
      class="palette"
    >
      <Search />
    </Modal>
  )
}

function Search() {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  /** The command that asks whether it should run. */
  const [asking, setAsking] = useState<Command>()
  const found = findCommands(commandsOf(useListed()), text)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }), [at])
  const choose = (command: Command | undefined) => {
    if (!command) return
    if (command.question !== undefined && asking?.title !== command.title) setAsking(command)
    else {
      openDialog.value = undefined
      void run(command)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') choose(found[at])
    else if (step !== undefined && found.length > 0) {
      setAt((at + step + found.length) % found.length)
      setAsking(undefined)
    } else return
    event.preventDefault()
  }
  return (
    <>
      <label class="palette-field">
        <Icon name="search" />
        <span class="visually-hidden">Search</span>
        <input
          autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={found.length === 0 ? undefined : `palette-${at}`}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          placeholder="Views, actions, sandboxes, operations, collections"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
            setAsking(undefined)
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </label>
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Found" ref={list}>
        {groupsOf(found).map(({ group, commands }) => (
          <div key={`${group} ${commands[0]?.index ?? 0}`} role="group" aria-label={group}>
            <div class="palette-group" aria-hidden="true">
              {group}
            </div>
            {commands.map(({ command, index }) => (
              <Option
                key={index}
                {...{ command, index }}
                isSelected={index === at}
                isAsking={asking?.title === command.title}
                choose={() => choose(command)}
                point={() => setAt(index)}
              />
            ))}
          </div>
        ))}
      </div>
      <p class="palette-note quiet" role="status">
        {found.length === 0 ? 'Nothing has this name.' : ''}
      </p>
    </>
  )
}

interface OptionProps {
  readonly command: Command
  readonly index: number
  readonly isSelected: boolean
  readonly isAsking: boolean
  readonly choose: () => void
  readonly point: () => void
}

function Option({ command, index, isSelected, isAsking, choose, point }: OptionProps) {
  const { icon, title, note, question } = command
  return (
    <div
      id={`palette-${index}`}
      class={`palette-option ${isAsking ? 'palette-asking' : ''}`}
      role="option"
      aria-selected={isSelected}
      onClick={choose}
      onMouseMove={point}
    >
      <Icon name={isAsking ? 'alert' : icon} />
      <span class="palette-title">{isAsking ? question : title}</span>
      <span class="quiet palette-hint">{isAsking ? 'Enter again' : note}</span>
    </div>
  )
}

/** Runs of commands of one group, each with its place in the whole list. */
function groupsOf(found: readonly Command[]) {
  const groups: {
    readonly group: string
    readonly commands: { readonly command: Command; readonly index: number }[]
  }[] = []
  for (const [index, command] of found.entries()) {
    if (groups.at(-1)?.group !== command.group) groups.push({ group: command.group, commands: [] })
    groups.at(-1)?.commands.push({ command, index })
  }
  return groups
}

/** The sandboxes and collections, which are loaded when the palette opens. */
function useListed(): Listed {
  const [listed, setListed] = useState<Listed>({ sandboxes: [], collections: [] })
  useEffect(() => {
    const none = () => undefined
    control.value.listSandboxes().then(({ sandboxes }) => setListed((held) => ({ ...held, sandboxes })), none)
    control.value.listCollections().then(({ collections }) => setListed((held) => ({ ...held, collections })), none)
  }, [])
  return listed
}

async function run(command: Command): Promise<void> {
  try {
    const done = await command.run()
    if (typeof done === 'string') notice.value = { text: done, isRefusal: false }
  } catch (error) {
    notice.value = { text: messageOf(error), isRefusal: true }
  }
}
