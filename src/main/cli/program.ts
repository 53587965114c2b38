import { Command, CommanderError, Option } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import { addConfigCommands, addAppCommands } from './app-commands.ts'
import { addLearningCommands } from './learning-commands.ts'
import { addMemoryCommands } from './memory-commands.ts'
import { addModelsCommands } from './models-commands.ts'
import { addSkillsCommands } from './skills-commands.ts'
import { BAD_USAGE, exitBy, FAILED, loadOnRun, wholeNumber } from './command-line.ts'

// The code of a command is loaded when it runs, so help and usage errors are fast.

const program = new Command('talaria')
  .description(packageJson.description)
  .version(packageJson.version, '-V, --version')
  .exitOverride()
  .showHelpAfterError('(talaria --help shows what there is)')

program
  .command('chat')
  .description('talk to the agent: one question with -q or from a pipe, otherwise an interactive prompt')
  .option('-q, --query <text>', 'ask one question, print the answer and exit')
  .option('--json', 'print every event of the run as a JSON line')
  .option('--model <file.gguf|id>', 'a GGUF file, or the id of a model that Talaria knows')
  .option('--home <dir>', 'the home folder (default: TALARIA_HOME, then ~/.talaria)')
  .option('--cwd <dir>', 'the folder to work in (default: the current one, or that of the earlier chat)')
  .option('--session <id>', 'go on with an earlier chat')
  .addOption(
    new Option(
      '--approve <what>',
      'what runs without a question; default: ask on a terminal, none otherwise',
    ).choices(['ask', 'reads', 'all', 'none']),
  )
  .addHelpText(
    'after',
    `
Approvals (whatever the mode, some commands never run: deleting the disk, and the like):
  ask    files in the working folder are read; everything else is asked about, and denied where nobody can answer
  reads  safe reading commands such as "ls" or "git status" run as well
  all    everything runs
  none   whatever would ask is denied

The answer goes to standard output; tools, questions and errors go to standard error.
Exit codes: 0 done, 1 the run failed or was stopped, 2 bad usage.`,
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
addMemoryCommands(program)
addSkillsCommands(program)
addLearningCommands(program)

program
  .command('search <words...>')
  .description('search what was ever said, as the agent and the window do')
  .option('--from <day>', 'said on this day or later, such as 2026-11-01')
  .option('--to <day>', 'said on this day or earlier')
  .addOption(new Option('--role <who>', 'said by').choices(['user', 'assistant', 'tool']))
  .option('--limit <n>', 'how many chats', wholeNumber(1, 50), 10)
  .option('--json', 'print one JSON object')
  .option('--home <dir>', 'the home folder (default: TALARIA_HOME, then ~/.talaria)')
  .addHelpText(
    'after',
    `
Examples:
  talaria search which port did we choose
  talaria search '"exact words"' --from 2026-10-01 --to 2026-10-31

Exit codes: 0 something was found, 1 nothing was, or it failed, 2 bad usage.`,
  )
  .action(
    exitBy(
      loadOnRun(
        () => import('./search-command.ts'),
        module => module.searchCommand,
      ),
    ),
  )

program
  .command('import <path>')
  .description('bring chats and memories of another program; shows what would come, and asks first')
  .option('--yes', 'do not ask')
  .option('--no-memories', 'leave the memories behind')
  .option('--json', 'print the preview and every step as a JSON line')
  .option('--home <dir>', 'the home folder (default: TALARIA_HOME, then ~/.talaria)')
  .addHelpText(
    'after',
    `
It reads the folder .hermes of a Hermes agent, and the exports of ChatGPT and Claude: the zip, the unpacked folder, or
conversations.json. What is read is not changed. The same export can be imported again: only what is new comes.

Examples:
  talaria import ~/.hermes
  talaria import ~/Downloads/chatgpt-export.zip --yes

Exit codes: 0 done, 1 it failed, was stopped or not wanted, 2 bad usage, or nothing that can be imported.`,
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
