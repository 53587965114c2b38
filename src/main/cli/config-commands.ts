import type { Command } from 'commander'
import type { ConfigOptions } from './config-actions.ts'
import { loadOnRun } from './command-helpers.ts'

const FAILED = 1
const load = () => import('./config-actions.ts')

/** Add the commands about settings. */
export function addConfigCommands(program: Command): void {
  const config = program
    .command('config')
    .description('see and change the settings')
    .addHelpText(
      'after',
      `
Settings are kept in config.yaml of the home folder; comments in it survive. Keys of servers are never in it.

Examples:
  talaria config show
  talaria config show engine
  talaria config set engine.idle_unload_minutes 5
  talaria config set skills.folders ~/skills ~/work/skills
  talaria config reset learning
  talaria config check

Exit codes: 0 done or no mistakes, 1 it failed or there are mistakes, 2 bad usage.`,
    )
  const homed = (command: Command) =>
    command.option('--home <dir>', 'the home folder (default: TALARIA_HOME, then ~/.talaria)')
  const common = (command: Command) => homed(command).option('--json', 'print one JSON object')
  const verdict = (check: (options: ConfigOptions) => Promise<boolean>) => async (options: ConfigOptions) => {
    if (!(await check(options))) process.exitCode = FAILED
  }

  common(config.command('show [section]').description('print what differs from the defaults, or a section'))
    .option('--all', 'print every setting')
    .action(loadOnRun(load, config => config.configShow))
  common(config.command('get <setting>').description('print the value of one setting')).action(
    loadOnRun(load, config => config.configGet),
  )
  common(
    config.command('set <setting> <value...>').description('change a setting; several words are a list'),
  ).action(loadOnRun(load, config => config.configSet))
  homed(config.command('reset <setting|section>').description('bring back the default')).action(
    loadOnRun(load, config => config.configReset),
  )
  homed(config.command('edit').description('open config.yaml in your editor, then check it')).action(
    verdict(loadOnRun(load, config => config.configEdit)),
  )
  common(config.command('check').description('look for mistakes, with the lines they are in')).action(
    verdict(loadOnRun(load, config => config.configCheck)),
  )
  homed(
    config.command('migrate').description('bring config.yaml up to the form of this version, with a copy'),
  ).action(verdict(loadOnRun(load, config => config.configMigrate)))
}
