import type { Command, Option } from 'commander'

const SCRIPTS = {
  // Bash splits words at `=`; without suggestions it completes paths.
  bash: `_standin() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(standin complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _standin standin
`,
  zsh: `#compdef standin
_standin() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(standin complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe standin found; else _files; fi
}
compdef _standin standin
`,
  fish: `function __standin_complete
  set -l words (commandline -opc)
  set -l found (standin complete -- $words[2..-1] (commandline -ct | string collect -a) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c standin -f -a '(__standin_complete)'
`,
} as const

/** `standin completion SHELL`: a script that asks `standin complete` at each press of the tab key. */
export function printScript(shell: keyof typeof SCRIPTS): void {
  process.stdout.write(SCRIPTS[shell])
}

/** `standin complete -- WORDS`: what the last word may become, a line each, with a description after a tab. */
export function printSuggestions(program: Command, words: readonly string[]): void {
  process.stdout.write(
    suggest(program, words)
      .map(([word, about]) => `${word}\t${about}\n`)
      .join(''),
  )
}

type Suggestion = readonly [word: string, about: string]

/** Nothing where a path may stand: the shell completes those. */
function suggest(program: Command, words: readonly string[]): Suggestion[] {
  const { before, current, prefix } = split(words)
  let command = program
  let position = 0
  let expects: Option | undefined
  for (const word of before) {
    const option = expects ? undefined : findOption(command, word)
    const next = expects || option ? undefined : command.commands.find((one) => one.name() === word)
    if (!expects && !option && !next && !word.startsWith('-')) position++
    command = next ?? command
    expects = option && (option.required || option.optional) ? option : undefined
  }
  const all = expects ? valuesOf(expects.argChoices) : wordsOf(command, position, current)
  return all.filter(([word]) => word.startsWith(current)).map(([word, about]) => [prefix + word, about])
}

interface Words {
  readonly before: readonly string[]
  readonly current: string
  /** What stands before the current word without a space: `--log=`. */
  readonly prefix: string
}

/** `--log=json` is one word or three, depending on the shell. */
function split(words: readonly string[]): Words {
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1).filter((word) => word !== '=')
  if (last === '=') return { before, current: '', prefix: '' }
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(last) ?? []
  if (flag === undefined || value === undefined) return { before, current: last, prefix: '' }
  return { before: [...before, flag], current: value, prefix: `${flag}=` }
}

function findOption(command: Command, word: string): Option | undefined {
  return command
    .createHelp()
    .visibleOptions(command)
    .find(({ long, short }) => long === word || short === word)
}

function wordsOf(command: Command, position: number, current: string): Suggestion[] {
  const help = command.createHelp()
  if (current.startsWith('-'))
    return help.visibleOptions(command).map(({ long, short, description }) => [long ?? short ?? '', description])
  if (command.commands.length > 0) return help.visibleCommands(command).map((one) => [one.name(), one.description()])
  return valuesOf(command.registeredArguments[position]?.argChoices)
}

function valuesOf(choices: readonly string[] = []): Suggestion[] {
  return choices.map((choice) => [choice, ''])
}
