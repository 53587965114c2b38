import { Option, type Command } from 'commander'
import { loadOnRun, withHome } from '../command-line.ts'

const load = () => import('./spool-actions.ts')

const ABOUT = `
Appends one line to a file in the folder “inbox” of the home, and starts nothing. Talaria reads it within a minute while it runs, or at
its next start: only if the program is connected under this name (Connections, Agents), is allowed there, and may be learned from.
Otherwise the line is deleted unread. Without --session, everything of a day is one session.`
const CODES = `
Exit codes: 0 written, 1 it cannot be written, 2 bad usage.`

const ofProgram = (command: Command): Command =>
  withHome(command)
    .requiredOption('--agent <name>', 'the program: claude-code, or the name of one that you connected')
    .option('--session <id>', 'its session')

/** Add the commands by which scripts hand over what other programs did. */
export function addSpoolCommands(program: Command): void {
  ofProgram(program.command('track-tool').description('hand over what a tool of another program did'))
    .requiredOption('--tool <name>', 'the tool')
    .option('--input <json>', 'what it was given: a JSON object or a text; - reads standard input')
    .option('--output <text>', 'what it answered; - reads standard input')
    .option('--ok', 'it did what it should (the default)')
    .addOption(new Option('--failed', 'it did not').conflicts('ok'))
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
    program.command('on-session-end').description('hand over that a session with another program ended'),
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
