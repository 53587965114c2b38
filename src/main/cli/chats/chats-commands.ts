import { Option, type Command } from 'commander'
import { addExport } from '../data/data-commands.ts'
import { exitBy, loadOnRun, wholeNumber, withCommon, withHome } from '../command-line.ts'

const load = () => import('./chats-actions.ts')
const runChat = exitBy(
  loadOnRun(
    () => import('../interactive/run-chat.ts'),
    module => module.runChat,
  ),
)

/** Add the commands that chat with the agent, and those that show, change and search chats. */
export function addChatsCommands(program: Command): void {
  const chat = program
    .command('chat', { isDefault: true })
    .description('chat with the agent: one question with -q or from a pipe, otherwise an interactive prompt')
  withTurn(chat)
    .option('--session <id>', 'continue an earlier chat')
    .option('--project <name>', 'start the chat in this project; with --session, move the chat there')
    .option('--tools <toolsets>', 'only these toolsets for this chat, such as files,memory')
    .option('--temporary', 'remember nothing, and delete the chat when the command ends')
    .addHelpText('after', TURN_HELP)
    .action(runChat)

  const chats = program
    .command('chats')
    .alias('sessions')
    .description('list, show, rename, archive, delete, resume and export chats; “sessions” is an alias')
    .addHelpText(
      'after',
      `
Name a chat by its id or the end of its id. An archived chat is hidden from the list: searches still find it, and a new message
brings it back. You can restore a deleted chat for as many days as the setting chats.keep_deleted_days says.
Then Talaria removes the chat for good, with its results, logs and training data, also from the backups in the home folder.
Talaria does not remove files in the folder of the chat, files that you saved elsewhere, quotes from it in other chats, what
you typed in a terminal (the file terminal-history), and the memories, skills and rules that you kept.

Examples:
  talaria chats list invoices
  talaria chats resume 1qdg344
  talaria chats export 1qdg344 --format html --branches all --no-tool-output
  talaria chats archive 1qdg344
  talaria chats list --archived
  talaria chats delete 1qdg344
  talaria chats restore 1qdg344
  talaria chats purge --all --yes

Exit codes: 0 done, 1 failed or declined, 2 bad usage or no such chat.`,
    )
  withCommon(
    chats
      .command('list [words...]', { isDefault: true })
      .description('print the chats, newest first; with words, only the chats that contain them'),
  )
    .option('--archived', 'only archived chats')
    .option('--limit <n>', 'maximum number of chats', wholeNumber(1, 200), 20)
    .action(loadOnRun(load, actions => actions.chatsList))
  withCommon(chats.command('show <id>').description('print the messages of a chat'))
    .option('--limit <n>', 'number of newest messages to print', wholeNumber(1, 500), 60)
    .action(loadOnRun(load, actions => actions.chatsShow))
  withCommon(chats.command('rename <id> <title...>').description('change the title of a chat')).action(
    loadOnRun(load, actions => actions.chatsRename),
  )
  withCommon(
    chats
      .command('decider <id> [setting]')
      .description('print whether the decider starts tool calls in a chat, or set it: on, off or auto'),
  ).action(loadOnRun(load, actions => actions.chatsDecider))
  withCommon(chats.command('archive <id...>').description('hide chats from the list')).action(
    loadOnRun(load, actions => actions.chatsArchive),
  )
  withCommon(chats.command('unarchive <id...>').description('put archived chats back into the list')).action(
    loadOnRun(load, actions => actions.chatsUnarchive),
  )
  withCommon(chats.command('delete <id...>').description('delete chats; they can be restored')).action(
    loadOnRun(load, actions => actions.chatsDelete),
  )
  withTurn(chats.command('resume <id>').description('continue a chat, with the options of “talaria chat”'))
    .addHelpText('after', TURN_HELP)
    .action((session: string, options: object) => runChat({ ...options, session }))
  addExport(chats.command('export [id]').description('write one chat or all chats to one file, unchanged'))
  withCommon(chats.command('deleted').description('print the deleted chats, newest first')).action(
    loadOnRun(load, actions => actions.chatsDeleted),
  )
  withCommon(chats.command('restore <id...>').description('bring deleted chats back')).action(
    loadOnRun(load, actions => actions.chatsRestore),
  )
  withCommon(chats.command('purge [id...]').description('remove deleted chats for good now; asks first'))
    .option('--all', 'all deleted chats')
    .option('--yes', 'do not ask')
    .action(exitBy(loadOnRun(load, actions => actions.chatsPurge)))

  withCommon(
    program.command('search <words...>').description('search all chats, like the agent and the window do'),
  )
    .option('--from <day>', 'only messages from this day on, such as 2026-11-01')
    .option('--to <day>', 'only messages up to this day')
    .addOption(
      new Option('--role <who>', 'only messages of this role').choices(['user', 'assistant', 'tool']),
    )
    .option('--limit <n>', 'maximum number of chats', wholeNumber(1, 50), 10)
    .addHelpText(
      'after',
      `
Examples:
  talaria search which port did we choose
  talaria search '"exact words"' --from 2026-10-01 --to 2026-10-31

Exit codes: 0 something was found, 1 nothing was found or the search failed, 2 bad usage.`,
    )
    .action(exitBy(loadOnRun(load, actions => actions.searchCommand)))
}

/** Add the options of a command that chats with the agent. */
const withTurn = (command: Command): Command =>
  withHome(
    command
      .option(
        '-q, --query <text>',
        'ask one question, print the answer and exit; - reads it from standard input',
      )
      .option(
        '--attach <file>',
        'attach a file to the message; repeat the option for several files',
        (path: string, before: string[] | undefined) => [...(before ?? []), path],
      )
      .option('--json', 'print every event of the run as a JSON line')
      .option('--verbose', 'also print details: times, tokens, thoughts')
      .option('--model <file.gguf|id>', 'a GGUF file, or the id of a model that Talaria knows')
      .option(
        '--cwd <dir>',
        'the folder to work in (default: the current folder, or the folder of the earlier chat)',
      )
      .addOption(
        new Option(
          '--approve <what>',
          'what runs without asking; default: ask on a terminal, none otherwise',
        ).choices(['ask', 'reads', 'all', 'none']),
      ),
  )

const TURN_HELP = `
Piped text is added after the question: cat error.log | talaria chat -q "What went wrong?"
If no text arrives within three seconds, the question is asked without it. For a slow program, write to a file first and use: < FILE
In a loop that reads lines from a file, give each question its own input: talaria chat -q … < /dev/null

Approvals (in every mode, some commands never run, such as erasing the disk):
  ask    reads files in the working folder; asks about everything else, and denies it if nobody can answer
  reads  also runs safe reading commands such as "ls" or "git status"
  all    runs everything
  none   denies everything that would need approval

Your rules apply in every mode (talaria permissions --help). The mode applies while this command runs. If the command is
killed, a turn in progress continues in the chat's own mode, and every call that would ask is denied.

The answer goes to standard output; tools, questions and errors go to standard error.
Exit codes: 0 done, 1 failed or stopped, 2 bad usage, or no such chat or model.`
