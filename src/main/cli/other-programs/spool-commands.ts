import { Option, type Command } from 'commander'
import { loadOnRun, withHome } from '../command-line.ts'

const load = () => import('./spool-actions.ts')

const ABOUT = `
Appends one line to a file in the folder “inbox” of the home folder, and starts nothing. Talaria reads the line within a minute, or at
its next start, if the program is connected under this name (Connections, Agents), is allowed there, and Talaria may learn from it.
Otherwise the line is deleted unread. Without --session, all lines of a day belong to one session.`
const CODES = `
Exit codes: 0 written, 1 it cannot be written, 2 bad usage.`

const ofProgram = (command: Command): Command =>
  withHome(command)
    .requiredOption('--agent <name>', 'the program: claude-code, or the name of a program that you connected')
    .option('--session <id>', 'the session of the program')

/** Add the commands with which scripts report the work of other programs. */
export function addSpoolCommands(program: Command): void {
  ofProgram(program.command('track-tool').description('report a tool call of another program to Talaria'))
    .requiredOption('--tool <name>', 'the name of the tool')
    .option('--input <json>', 'the arguments: a JSON object or a text; - reads standard input')
    .option('--output <text>', 'the result; - reads standard input')
    .option('--ok', 'the call succeeded (the default)')
    .addOption(new Option('--failed', 'the call failed').conflicts('ok'))
    .addHelpText(
      'after',
      `${ABOUT}

Examples:
  talaria track-tool --agent claude-code --session 42 --tool Bash --input '{"command": "npm test"}' --failed
  npm test 2>&1 | talaria track-tool --agent my-script --tool test --output -
${CODES}`,
    )
    .action(loadOnRun(load, actions => actions.trackTool))
  ofProgram(
    program
      .command('on-session-end')
      .description('report to Talaria that a session of another program has ended'),
  )
    .addHelpText(
      'after',
      `${ABOUT}

Example:
  talaria on-session-end --agent claude-code --session 42
${CODES}`,
    )
    .action(loadOnRun(load, actions => actions.onSessionEnd))
}
