import { InvalidArgumentError, Option, type Command } from 'commander'
import { exitBy, loadOnRun, wholeNumber, withCommon } from '../command-line.ts'

const load = () => import('./memory-actions.ts')
const loadSettle = () => import('./settle-memory.ts')
const PLACES = {
  user: ['--user', 'facts about you (USER.md)'],
  notes: ['--notes', 'notes for every chat (MEMORY.md)'],
  folder: ['--folder <dir>', 'notes for chats in this folder'],
} as const

/** `--folder` had this name before, and keeps it for scripts that say it. */
const oldFolderOption = () => new Option('--project <dir>', 'the same as --folder').hideHelp()

/** Add the commands about the long-term memory. */
export function addMemoryCommands(program: Command): void {
  const memory = program
    .command('memory')
    .description('show and change what Talaria remembers')
    .addHelpText(
      'after',
      `
Entries have short ids, changes have numbers. Every change can be undone at any time, whoever made it, but “forget”.

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

“user read”, “user write”, “read” and “write” are the names that Hermes has for list and add. Hermes replaces the whole
text; here “write” adds one entry, and what is there stays.

Exit codes: 0 done, 1 failed, 2 bad usage or a text that may not be remembered.`,
    )
  const placed = (command: Command) =>
    Object.values(PLACES)
      .reduce((each, [flag, says]) => each.option(flag, says), withCommon(command))
      .addOption(oldFolderOption())

  placed(
    memory
      .command('list', { isDefault: true })
      .description('print what is remembered: everything, or one part'),
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
      .description('show memory files that other programs left in two versions, and choose'),
  )
    .addOption(new Option('--keep <which>', 'what the file shall hold').choices(['mine', 'theirs', 'both']))
    .option('--add <number>', 'add this entry of theirs to yours (again for each)', positions)
    .action(loadOnRun(loadSettle, settle => settle.memorySettle))
  addNamesOfHermes(memory)
  withCommon(memory.command('undo').description('undo changes (default: the newest)'))
    .argument(
      '[number...]',
      'numbers of changes, from the history; one part of a merge undoes all of it',
      numbers,
      [],
    )
    .action(loadOnRun(load, memory => memory.memoryUndo))
}

/** Scripts and agents that were made for Hermes go on working. What would replace a file there only ever adds here. */
function addNamesOfHermes(memory: Command): void {
  const user = memory.command('user').description('what is known about you (USER.md), by the names of Hermes')
  withCommon(
    user.command('read', { isDefault: true }).description('the same as “memory list --user”'),
  ).action(loadOnRun(load, actions => (options: Common) => actions.memoryList({ ...options, user: true })))
  withCommon(
    user
      .command('write <text...>')
      .description('the same as “memory add --user”: one more entry, nothing is replaced'),
  ).action(
    loadOnRun(
      load,
      actions => (words: string[], options: Common) => actions.memoryAdd(words, { ...options, user: true }),
    ),
  )
  withCommon(memory.command('read').description('the same as “list --notes”, by its name in Hermes'))
    .option(...PLACES.folder)
    .addOption(oldFolderOption())
    .action(loadOnRun(load, actions => (options: InPlace) => actions.memoryList(notesUnlessFolder(options))))
  withCommon(
    memory
      .command('write <text...>')
      .description('the same as “add --notes”, by its name in Hermes: one more entry, nothing is replaced'),
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
