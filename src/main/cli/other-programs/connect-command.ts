import { Argument, type Command } from 'commander'
import { exitBy, loadOnRun, withCommon } from '../command-line.ts'
import type { ConnectOptions } from './connect-actions.ts'

const load = () => import('./connect-actions.ts')

/** Programs that Talaria can be put into, and those that it can only print lines for. */
export const PROGRAMS: readonly string[] = ['claude-code', 'pi', 'opencode', 'codex', 'gemini']

/** Add the command that puts Talaria into other programs with agents. */
export function addConnectCommand(program: Command): void {
  withCommon(program.command('connect'))
    .description(
      'put Talaria into another agent, such as Claude Code, and take it out; alone, say how they stand',
    )
    .addArgument(new Argument('[program]', 'the other program').choices(PROGRAMS))
    .option('--print', 'only print what would be written, changed and run')
    .option('--remove', 'take Talaria out again')
    .option('--yes', 'do not ask; the commands of the other program are printed, not run')
    .option('--run', 'with --yes: run the commands of the other program too')
    .addHelpText(
      'after',
      `
Shows the folder that is written under the home of Talaria, the difference to files of the other program, and its commands, and asks. A
connected program reads and tells nothing before you allow it in the window: Connections, Agents. What it reads goes to its provider.
For codex and gemini lines are printed only; nobody has tried them.

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
