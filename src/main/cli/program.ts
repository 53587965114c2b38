import { Command, CommanderError, Option } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import { endOnUncaughtErrors } from '../lib/uncaught-errors.ts'
import { addConfigCommands, addAppCommands } from './app-commands.ts'
import { addChatsCommands } from './chats-commands.ts'
import { lastSteps } from './last-steps.ts'
import { addDataCommands } from './data-commands.ts'
import { addLearningCommands } from './learning-commands.ts'
import { addMemoryCommands } from './memory-commands.ts'
import { addModelsCommands } from './models-commands.ts'
import { addPermissionsCommands } from './permissions-commands.ts'
import { addProcessesCommands } from './processes-commands.ts'
import { addSkillsCommands } from './skills-commands.ts'
import { BAD_USAGE, exitBy, FAILED, loadOnRun, wholeNumber } from './command-line.ts'

// The code of a command is loaded when it runs, so help and usage errors are fast.

endOnUncaughtErrors(lastSteps)

const program = new Command('talaria')
  .description(packageJson.description)
  .version(packageJson.version, '-V, --version')
  .exitOverride()
  .showHelpAfterError('(talaria --help lists the commands)')

program
  .command('chat')
  .description('chat with the agent: one question with -q or from a pipe, otherwise an interactive prompt')
  .option('-q, --query <text>', 'ask one question, print the answer and exit')
  .option('--json', 'print every event of the run as a JSON line')
  .option('--model <file.gguf|id>', 'a GGUF file, or the id of a model that Talaria knows')
  .option('--home <dir>', 'the home folder (default: TALARIA_HOME, then ~/.talaria)')
  .option('--cwd <dir>', 'the folder to work in (default: the current one, or that of the earlier chat)')
  .option('--session <id>', 'continue an earlier chat')
  .addOption(
    new Option(
      '--approve <what>',
      'what runs without asking; default: ask on a terminal, none otherwise',
    ).choices(['ask', 'reads', 'all', 'none']),
  )
  .addHelpText(
    'after',
    `
Approvals (in every mode, some commands never run, such as deleting the disk):
  ask    reads files in the working folder; asks about everything else, and denies it when nobody can answer
  reads  also runs safe reading commands such as "ls" or "git status"
  all    runs everything
  none   denies everything that would need approval

Your rules count in every mode (talaria permissions --help). The mode holds for as long as this command runs; if it is
killed, a turn that is in progress goes on in the chat's own mode, and what would ask is denied.

The answer goes to standard output; tools, questions and errors go to standard error.
Exit codes: 0 done, 1 failed or stopped, 2 bad usage.`,
  )
  .action(
    exitBy(
      loadOnRun(
        () => import('./run-chat.ts'),
        module => module.runChat,
      ),
    ),
  )

addAppCommands(program)
addModelsCommands(program)
addConfigCommands(program)
addChatsCommands(program)
addPermissionsCommands(program)
addMemoryCommands(program)
addSkillsCommands(program)
addLearningCommands(program)
addProcessesCommands(program)
addDataCommands(program)

program
  .command('search <words...>')
  .description('search all chats, like the agent and the window do')
  .option('--from <day>', 'only messages from this day on, such as 2026-11-01')
  .option('--to <day>', 'only messages up to this day')
  .addOption(new Option('--role <who>', 'only messages by').choices(['user', 'assistant', 'tool']))
  .option('--limit <n>', 'maximum number of chats', wholeNumber(1, 50), 10)
  .option('--json', 'print one JSON object')
  .option('--home <dir>', 'the home folder (default: TALARIA_HOME, then ~/.talaria)')
  .addHelpText(
    'after',
    `
Examples:
  talaria search which port did we choose
  talaria search '"exact words"' --from 2026-10-01 --to 2026-10-31

Exit codes: 0 something was found, 1 nothing was found or the search failed, 2 bad usage.`,
  )
  .action(
    exitBy(
      loadOnRun(
        () => import('./chats-actions.ts'),
        module => module.searchCommand,
      ),
    ),
  )

program
  .command('import <path>')
  .description('import chats and memories from another program; shows a preview and asks first')
  .option('--yes', 'do not ask')
  .option('--no-memories', 'do not import memories')
  .option('--json', 'print the preview and every step as a JSON line')
  .option('--home <dir>', 'the home folder (default: TALARIA_HOME, then ~/.talaria)')
  .addHelpText(
    'after',
    `
Reads the folder .hermes of a Hermes agent, and the exports of ChatGPT and Claude: the zip, the unpacked folder, or
conversations.json. The source is not changed. You can import the same export again: only new chats are added.

Examples:
  talaria import ~/.hermes
  talaria import ~/Downloads/chatgpt-export.zip --yes

Exit codes: 0 done, 1 failed, stopped or declined, 2 bad usage or nothing to import.`,
  )
  .action(
    exitBy(
      loadOnRun(
        () => import('./import-command.ts'),
        module => module.importFrom,
      ),
    ),
  )

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : BAD_USAGE
  else await printFault(error)
}

async function printFault(error: unknown): Promise<void> {
  const { Fault } = await import('../../shared/rpc.ts')
  const { stripControls } = await import('./terminal-text.ts')
  if (!(error instanceof Fault)) throw error
  const more =
    error.code === 'internal' ? ' Its log, in the folder “logs” of the home folder, has the details.' : ''
  process.stderr.write(`${stripControls(error.message)}${more}\n`)
  process.exitCode = error.code === 'bad_input' || error.code === 'not_found' ? BAD_USAGE : FAILED
}
