import type { Command } from 'commander'
import type { Setting } from '../config/config.ts'
import { SETTING_NAMES } from '../config/create-config.ts'
import { SETTINGS } from '../config/settings.ts'

/** Adds `--config` and a flag for each setting. Each is also a variable `STANDIN_…` and a member of the configuration file. */
export function addFlags(command: Command, settings: readonly Setting[] = SETTING_NAMES): Command {
  command.option('--config <file>', 'settings from a YAML or JSON file')
  for (const setting of settings) {
    const { flag, help, isList, byDefault } = SETTINGS[setting]
    const isShown = typeof byDefault === 'number' || typeof byDefault === 'string'
    const description = isShown ? `${help} (default: ${byDefault})` : help
    if (isList) command.option(flag, description, collect)
    else command.option(flag, description)
  }
  return command
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
