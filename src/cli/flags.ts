import { type Command, Option } from 'commander'
import type { Setting } from '../config/config.ts'
import { SETTING_NAMES } from '../config/create-config.ts'
import { SETTINGS } from '../config/settings.ts'

/** Adds `--config` and a flag for each setting. Each is also a variable `STANDIN_…` and a member of the configuration file. */
export function addFlags(command: Command, settings: readonly Setting[] = SETTING_NAMES): Command {
  command.option('--config <file>', 'settings from a YAML or JSON file')
  for (const setting of settings) command.addOption(optionOf(setting))
  return command
}

function optionOf(setting: Setting): Option {
  const { flag, help, isList, choices, byDefault } = SETTINGS[setting]
  const isShown = typeof byDefault === 'number' || typeof byDefault === 'string'
  const option = new Option(flag, isShown ? `${help} (default: ${byDefault})` : help)
  // For the help and for completion. The settings are checked together, whatever they come from.
  if (choices) option.argChoices = [...choices]
  return isList ? option.argParser(collect) : option
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
