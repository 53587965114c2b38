import { Argument, type Command } from 'commander'
import { exitBy, loadOnRun, withCommon } from '../command-line.ts'
import type { ConnectOptions } from './connect-actions.ts'

const load = () => import('./connect-actions.ts')

/** Programs that Talaria can connect to, including those for which it can only print lines. */
export const PROGRAMS: readonly string[] = ['claude-code', 'pi', 'opencode', 'codex', 'gemini']

/** Add the command that connects Talaria to other agents. */
export function addConnectCommand(program: Command): void {
  withCommon(program.command('connect'))
    .description(
      'connect Talaria to another agent, such as Claude Code, or disconnect it; without a name, print the state of all',
    )
    .addArgument(new Argument('[program]', 'the other program').choices(PROGRAMS))
    .option('--print', 'only print what would be written, changed and run')
    .option('--remove', 'disconnect the program')
    .option('--yes', 'do not ask; the commands of the other program are printed, not run')
    .option('--run', 'with --yes: run the commands of the other program too')
    .addHelpText(
      'after',
      `
Shows the folder to be written in Talaria's home folder, the changes to files of the other program, and the commands to run. Then it
asks. A connected program can read and report nothing until you allow it in the window: Connections, Agents. What it reads is sent
to its provider. For codex and gemini, Talaria only prints lines, which have not been tested with these programs.

Examples:
  talaria connect
  talaria connect claude-code --print
  talaria connect claude-code
  talaria connect claude-code --remove

Exit codes: 0 done, 1 failed or declined, 2 bad usage.`,
    )
    .action(
      exitBy(
        loadOnRun(
          load,
          actions => (named: string | undefined, options: ConnectOptions) =>
            actions.connectFrom(named, options),
        ),
      ),
    )
}
