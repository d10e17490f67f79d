import { Argument, type Command } from 'commander'
import { withExamples } from '../flags.ts'

export function addCompletion(program: Command, create: () => Command): void {
  const command = program
    .command('completion')
    .description('print a script that completes commands and flags in a shell')
  command
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => (await import('./completion.ts')).printScript(shell))
  withExamples(command, [
    [`echo 'source <(standin completion bash)' >> ~/.bashrc`, 'in Bash'],
    [`echo 'source <(standin completion zsh)' >> ~/.zshrc`, 'in Zsh, after compinit'],
    ['standin completion fish > ~/.config/fish/completions/standin.fish', 'in fish'],
  ])
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => (await import('./completion.ts')).printSuggestions(create(), words))
}
