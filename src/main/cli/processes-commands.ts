import type { Command } from 'commander'
import { loadOnRun, withCommon, withHome } from './command-line.ts'

const load = () => import('./processes-actions.ts')

/** Add the commands about background processes. */
export function addProcessesCommands(program: Command): void {
  const processes = program
    .command('processes')
    .description('show, follow and stop the servers and watchers that the agent started')
    .addHelpText(
      'after',
      `
They belong to the running Talaria, and end with it. Without one there are none.

Examples:
  talaria processes list
  talaria processes output p1 --follow
  talaria processes stop p1

Exit codes: 0 done, 1 failed, 2 bad usage.`,
    )
  withCommon(
    processes.command('list', { isDefault: true }).description('print them, those that ended last'),
  ).action(loadOnRun(load, actions => actions.processesList))
  withHome(processes.command('output <id>').description('print what one printed, as far as it was kept'))
    .option('--follow', 'go on until it ends')
    .action(loadOnRun(load, actions => actions.processesOutput))
  withHome(
    processes.command('stop <id...>').description('end them, with everything that they started'),
  ).action(loadOnRun(load, actions => actions.processesStop))
}
