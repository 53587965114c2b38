import { InvalidArgumentError, Option, type Command } from 'commander'
import { exitBy, loadOnRun, wholeNumber, withCommon } from '../command-line.ts'

const load = () => import('./memory-actions.ts')
const loadSettle = () => import('./settle-memory.ts')
const PLACES = {
  user: ['--user', 'facts about you (USER.md)'],
  notes: ['--notes', 'notes for every chat (MEMORY.md)'],
  folder: ['--folder <dir>', 'notes for chats in this folder'],
} as const

/** The old name of `--folder`, kept for existing scripts. */
const oldFolderOption = () => new Option('--project <dir>', 'the same as --folder').hideHelp()

/** Add the commands about the long-term memory. */
export function addMemoryCommands(program: Command): void {
  const memory = program
    .command('memory')
    .description('show and change what Talaria remembers')
    .addHelpText(
      'after',
      `
Entries have short ids, changes have numbers. You can undo every change at any time, whoever made it, except “forget”.

Examples:
  talaria memory list
  talaria memory add "Prefers pnpm over npm."
  talaria memory add --folder . "The tests need a running Redis."
  talaria memory edit k2m9xq "Prefers bun over npm."
  talaria memory remove k2m9xq
  talaria memory forget k2m9xq
  talaria memory history k2m9xq
  talaria memory undo 14
  talaria memory settle USER.md --keep both

“user read”, “user write”, “read” and “write” are the Hermes names for list and add. Hermes replaces the whole text; here
“write” adds one entry and keeps the others.

Exit codes: 0 done, 1 failed, 2 bad usage or a text that may not be remembered.`,
    )
  const placed = (command: Command) =>
    Object.values(PLACES)
      .reduce((each, [flag, says]) => each.option(flag, says), withCommon(command))
      .addOption(oldFolderOption())

  placed(
    memory
      .command('list', { isDefault: true })
      .description('print what Talaria remembers: everything, or one part'),
  ).action(loadOnRun(load, memory => memory.memoryList))
  placed(memory.command('add <text...>').description('remember a sentence (default: about you)')).action(
    loadOnRun(load, memory => memory.memoryAdd),
  )
  withCommon(memory.command('edit <id> <text...>').description('replace the text of an entry')).action(
    loadOnRun(load, memory => memory.memoryEdit),
  )
  withCommon(memory.command('remove <id...>').description('remove entries; they stay in the archive')).action(
    loadOnRun(load, memory => memory.memoryRemove),
  )
  withCommon(
    memory
      .command('forget <id...>')
      .description('forget entries for good, also from archive, history and backups; asks first'),
  )
    .option('--yes', 'do not ask')
    .action(
      exitBy(
        loadOnRun(
          () => import('./memory-forget.ts'),
          actions => actions.memoryForget,
        ),
      ),
    )
  withCommon(memory.command('history [id]').description('print who changed what, newest first'))
    .option('--limit <n>', 'maximum number of changes', wholeNumber(1, 200), 20)
    .action(loadOnRun(load, memory => memory.memoryHistory))
  withCommon(
    memory
      .command('settle [file]')
      .description('show memory files that other programs left in two versions, and choose one'),
  )
    .addOption(new Option('--keep <which>', 'the version to keep').choices(['mine', 'theirs', 'both']))
    .option('--add <number>', 'add this entry of theirs to yours; repeat the option for several', positions)
    .action(loadOnRun(loadSettle, settle => settle.memorySettle))
  addNamesOfHermes(memory)
  withCommon(memory.command('undo').description('undo changes (default: the newest)'))
    .argument(
      '[number...]',
      'numbers of changes, from the history; a part of a merge undoes the whole merge',
      numbers,
      [],
    )
    .action(loadOnRun(load, memory => memory.memoryUndo))
}

/**
 * Add the Hermes names of commands, so that its scripts and agents work here. What replaces a file there only
 * adds an entry.
 */
function addNamesOfHermes(memory: Command): void {
  const user = memory
    .command('user')
    .description('the Hermes names for what Talaria knows about you (USER.md)')
  withCommon(
    user.command('read', { isDefault: true }).description('the same as “memory list --user”'),
  ).action(loadOnRun(load, actions => (options: Common) => actions.memoryList({ ...options, user: true })))
  withCommon(
    user
      .command('write <text...>')
      .description('the same as “memory add --user”: adds an entry, replaces nothing'),
  ).action(
    loadOnRun(
      load,
      actions => (words: string[], options: Common) => actions.memoryAdd(words, { ...options, user: true }),
    ),
  )
  withCommon(memory.command('read').description('the Hermes name for “list --notes”'))
    .option(...PLACES.folder)
    .addOption(oldFolderOption())
    .action(loadOnRun(load, actions => (options: InPlace) => actions.memoryList(notesUnlessFolder(options))))
  withCommon(
    memory
      .command('write <text...>')
      .description('the Hermes name for “add --notes”: adds an entry, replaces nothing'),
  )
    .option(...PLACES.folder)
    .addOption(oldFolderOption())
    .action(
      loadOnRun(
        load,
        actions => (words: string[], options: InPlace) =>
          actions.memoryAdd(words, notesUnlessFolder(options)),
      ),
    )
}

type Common = { home?: string; json?: true }
type InPlace = Common & { folder?: string; project?: string }

const notesUnlessFolder = (options: InPlace): InPlace & { notes?: true } =>
  options.folder === undefined && options.project === undefined ? { ...options, notes: true } : options

function numbers(text: string, before: number[]): number[] {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Enter the number of a change.')
  return [...before, number]
}

function positions(text: string, before: number[] = []): number[] {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Enter the number of an entry.')
  return [...before, number]
}
