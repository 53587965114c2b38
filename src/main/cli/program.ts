import { stripVTControlCharacters } from 'node:util'
import { Argument, Command, CommanderError } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import { endOnUncaughtErrors } from '../lib/processes/uncaught-errors.ts'
import { addAppCommands, addConfigCommands, addProcessesCommands } from './installation/app-commands.ts'
import { addBatchCommands } from './unattended/batch-commands.ts'
import { addChatsCommands } from './chats/chats-commands.ts'
import { onUncaughtError } from './on-uncaught-error.ts'
import { addConnectCommand } from './other-programs/connect-command.ts'
import { addDataCommands } from './data/data-commands.ts'
import { addLearningCommands } from './learning/learning-commands.ts'
import { addProjectsCommands } from './chats/projects-commands.ts'
import { addMcpCommands } from './mcp/mcp-commands.ts'
import { addMemoryCommands } from './memory/memory-commands.ts'
import { addModelsCommands } from './models/models-commands.ts'
import { addPermissionsCommands, addToolsCommands } from './permissions/permissions-commands.ts'
import { addApiCommands } from './other-programs/api-commands.ts'
import { addGatewayCommands } from './gateway/gateway-commands.ts'
import { addScheduleCommands } from './unattended/schedule-commands.ts'
import { addServeCommand } from './installation/serve-command.ts'
import { addSkillsCommands } from './skills/skills-commands.ts'
import { addSpoolCommands } from './other-programs/spool-commands.ts'
import { watchOutput } from './output/watch-output.ts'
import { addWebCommands } from './web/web-commands.ts'
import {
  BAD_USAGE,
  everyCommand,
  exitBy,
  FAILED,
  loadOnRun,
  withCommon,
  withHome,
  pageRange,
} from './command-line.ts'

// The code of a command is loaded when it runs, so help and usage errors are fast.

/** Run one command of the terminal: the words after `talaria`. Sets the exit code of the process. */
export async function runProgram(given: string[]): Promise<void> {
  endOnUncaughtErrors(onUncaughtError)
  const program = createProgram()
  const output = watchOutput()
  try {
    const words = homeLast(given)
    await checkNames(program, words)
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : BAD_USAGE
    else await printFault(error)
  }
  if (!(await output.finish()) && !process.exitCode) process.exitCode = FAILED
}

/**
 * Create all commands of the terminal, with their options and help texts.
 *
 * @internal Exported for the reference, which is written from it.
 */
export function createProgram(): Command {
  const program = new Command('talaria')
    .description(packageJson.description)
    .version(packageJson.version, '-V, --version')
    .exitOverride()
    .showHelpAfterError('(talaria --help lists the commands)')
    .addHelpText(
      'after',
      `
Without a command, talaria starts a chat, with the options of “talaria chat”, such as --model, --verbose and --json.
Without a terminal it reads one question from standard input.

Exit codes of every command:
  0    done
  1    failed, stopped or declined; nothing found; or the output could not be written in full
  2    bad usage: an unknown command, option or value, or a chat, model, skill or file that does not exist
  130  ended immediately by a second Ctrl-C`,
    )

  addChatsCommands(program)
  addAppCommands(program)
  addModelsCommands(program)
  addConfigCommands(program)
  addPermissionsCommands(program)
  addToolsCommands(program)
  addMemoryCommands(program)
  addProjectsCommands(program)
  addSkillsCommands(program)
  addLearningCommands(program)
  addMcpCommands(program)
  addConnectCommand(program)
  addSpoolCommands(program)
  addWebCommands(program)
  addProcessesCommands(program)
  addScheduleCommands(program)
  addBatchCommands(program)
  addGatewayCommands(program)
  addApiCommands(program)
  addServeCommand(program)
  addDataCommands(program)

  program
    .command('import <path>')
    .description(
      'import chats, memories, skills and settings from another program; shows a preview and asks first',
    )
    .option('--yes', 'do not ask')
    .option('--no-memories', 'do not import memories')
    .option('--no-skills', 'do not import the skills of a Hermes home')
    .option('--no-settings', 'do not import the settings of a Hermes home')
    .option('--no-soul', 'do not import the SOUL.md of a Hermes home')
    .option('--keys', 'also import the keys in the .env of a Hermes home; the preview shows them masked')
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
          () => import('./data/import-command.ts'),
          module => module.importFrom,
        ),
      ),
    )

  program
    .command('read <file>')
    .description('print the text of a document: PDF, Word, Excel, OpenDocument, e-mail, and others')
    .option('--json', 'print its kind, pages and problems as one JSON object')
    .option(
      '--pages <range>',
      'only these pages, slides, sheets, chapters or tables: 3, 3-5, or 3- for the rest',
      pageRange,
    )
    .option(
      '--password [text]',
      'the password of a locked PDF, which is not stored; without a text, the command asks for it',
    )
    .addHelpText(
      'after',
      `
Talaria recognises a file by its content. A separate process reads it, with at most 20 seconds and 512 MB of memory.

Reads PDF, docx, pptx, xlsx, odt, ods, odp, EPUB, HTML, ipynb, csv, SQLite, RTF, eml, and text and code in any encoding.
Missing parts, such as scanned pages, are reported on standard error, or as “problems” in the JSON.

Examples:
  talaria read report.pdf
  talaria read report.pdf --pages 3-5
  talaria read --json budget.xlsx | jq '.pages[0].text'

Exit codes: 0 done, 1 it cannot be read, 2 there is no such file.`,
    )
    .action(
      exitBy(
        loadOnRun(
          () => import('./read-command.ts'),
          module => module.readInTerminal,
        ),
      ),
    )

  withCommon(program.command('version').description('print the version')).action(
    ({ json }: { json?: true }) => {
      const { version } = packageJson
      process.stdout.write(
        json ? `${JSON.stringify({ version, node: process.version })}\n` : `Talaria ${version}\n`,
      )
    },
  )

  withCommon(program.command('update').description('print how to get a newer version')).action(
    loadOnRun(
      () => import('./installation/status-actions.ts'),
      actions => actions.explainUpdate,
    ),
  )

  program
    .command('completion')
    .description('print a script that completes commands and options at the press of Tab')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Put the script where your shell looks for it, and open a new shell:
  talaria completion bash > ~/.local/share/bash-completion/completions/talaria
  talaria completion zsh > ~/.zfunc/_talaria       with fpath+=~/.zfunc before compinit in ~/.zshrc
  talaria completion fish > ~/.config/fish/completions/talaria.fish`,
    )
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('./completion-scripts.ts')
      process.stdout.write(completionScript(program, shell))
    })

  program
    .helpCommand(false)
    .command('help [topic...]')
    .description('print the help of a command, or a page of the guide; without a name, list both')
    .addHelpText(
      'after',
      `
If a command and a page of the guide share a name, it means the command; guide/NAME is the page.

Examples:
  talaria help
  talaria help models add
  talaria help first-steps
  talaria help guide/memory

Exit codes: 0 done, 2 there is no such command and no such topic.`,
    )
    .action(async (words: string[]) => {
      const { printHelp } = await import('./installation/help-command.ts')
      await printHelp(program, words)
    })

  everyCommand(program, command => {
    const isMissing = command.options.every(({ long }) => long !== '--home')
    if (command.commands.length === 0 && isMissing) withHome(command)
  })
  return program
}

/**
 * Move a leading `--home <dir>` behind the command, where commander expects it. Words after `--` are for
 * another program.
 */
function homeLast(words: string[]): string[] {
  const [first = ''] = words
  const taken = first === '--home' ? 2 : first.startsWith('--home=') ? 1 : 0
  const own = words.slice(taken)
  const end = own.includes('--') ? own.indexOf('--') : own.length
  return [...own.slice(0, end), ...words.slice(0, taken), ...own.slice(end)]
}

/** Refuse an unknown command, and suggest the nearest name. */
async function checkNames(program: Command, words: readonly string[]): Promise<void> {
  let group = program
  for (const word of words) {
    if (group.commands.length === 0 || word.startsWith('-') || word === 'help') return
    const named = group.commands.find(each => [each.name(), ...each.aliases()].includes(word))
    // A group that is also a command takes an argument there.
    if (!named && group.registeredArguments.length > 0) return
    if (!named) {
      const { nearNames } = await import('../lib/words/similarity.ts')
      const names = group.commands.flatMap(each => [each.name(), ...each.aliases()])
      const near = nearNames(word, names, 1).map(name => `\n(Did you mean ${name}?)`)
      return group.error(`error: unknown command '${stripVTControlCharacters(word)}'${near.join('')}`)
    }
    group = named
  }
}

async function printFault(error: unknown): Promise<void> {
  const { Fault } = await import('../../shared/rpc.ts')
  const { isPrinted, stripControls } = await import('./output/terminal-text.ts')
  if (!(error instanceof Fault)) throw error
  const more =
    error.code === 'internal' ? ' The log in the folder “logs” of the home folder has the details.' : ''
  if (!isPrinted(error.message)) process.stderr.write(`${stripControls(error.message)}${more}\n`)
  process.exitCode = error.code === 'bad_input' || error.code === 'not_found' ? BAD_USAGE : FAILED
}
