import { Option, type Command } from 'commander'
import type { ExportFormat } from '../../../shared/contract/data.ts'
import type { ExportOptions } from './data-actions.ts'
import { exitBy, loadOnRun, withCommon } from '../command-line.ts'

const loadActions = () => import('./data-actions.ts')

const formats = Object.keys({ markdown: 0, json: 0, html: 0 } satisfies Record<ExportFormat, 0>)
const EVERY_STEP = 'print every step as a JSON line'

/** Make a command the one that writes chats into a file; an argument of it names one chat. */
export const addExport = (command: Command): Command =>
  withCommon(command, EVERY_STEP)
    .addOption(new Option('--format <format>', 'what to write').choices(formats).default('markdown'))
    .option('-o, --output <file>', 'the file to write (default: a new one in the current folder)')
    .addOption(
      new Option('--branches <which>', 'the chat as it is now, or also what edits and new answers left')
        .choices(['path', 'all'])
        .default('path'),
    )
    .option('--no-tool-output', 'without what tools were given and what they answered')
    .option('--force', 'replace an existing file')
    .action(
      exitBy(
        loadOnRun(
          loadActions,
          ({ dataExport }) =>
            (...given: unknown[]) =>
              dataExport(exportOptions(given)),
        ),
      ),
    )

/** The options of an export; with an argument they follow it. */
function exportOptions([chat, options]: unknown[]): ExportOptions {
  if (typeof chat === 'object') return chat as ExportOptions
  return { ...(options as ExportOptions), ...(typeof chat === 'string' && { chat }) }
}

/** Add the commands about the home folder: sizes, export, backup, restore. */
export function addDataCommands(program: Command): void {
  const data = program
    .command('data')
    .description('what is in the home folder: its size, exports, backups and restoring them')
    .addHelpText(
      'after',
      `
A backup is one zip with chats, memory, skills, settings and the working folder, as they are, with any passwords in them.
Keys are left out unless you ask for them, model files always. It is restored into a new folder; the old one stays.

Examples:
  talaria data size
  talaria data export --format html
  talaria data export --chat k2m9xq --format markdown -o chat.md
  talaria data backup -o ~/talaria.zip
  talaria data restore ~/talaria.zip ~/restored
  talaria chat --home ~/restored

Exit codes: 0 done, 1 failed or stopped, 2 bad usage.`,
    )

  withCommon(
    data.command('size', { isDefault: true }).description('print the size of everything in the home folder'),
  ).action(loadOnRun(loadActions, actions => actions.dataSize))
  addExport(
    data
      .command('export')
      .description('write one chat or all chats into one file, as they are')
      .option('--chat <id>', 'only one chat'),
  )
  withCommon(
    data.command('backup').description('write everything into one file, then open it and read it back'),
    EVERY_STEP,
  )
    .option('-o, --output <file.zip>', 'the file to write (default: a new one in the current folder)')
    .option('--with-keys', 'also keys and files that may hold keys')
    .option('--no-workspace', 'leave out the working folder and training data')
    .action(exitBy(loadOnRun(loadActions, actions => actions.dataBackup)))
  withCommon(data.command('backups').description('list the backups that Talaria keeps by itself')).action(
    loadOnRun(loadActions, actions => actions.dataBackups),
  )
  withCommon(
    data
      .command('take-over')
      .description('take the home folder from another computer that has it open and is gone'),
  ).action(loadOnRun(loadActions, actions => actions.takeOver))
  data
    .command('restore <file.zip> <folder>')
    .description('restore a backup into a new home folder')
    .option('--json', EVERY_STEP)
    .addHelpText(
      'after',
      `
Needs no home folder and no running Talaria, and changes neither. Restore only a backup that you made: it holds settings
and rules, which decide what the agent may do.

Exit codes: 0 done, 1 failed or stopped, 2 bad usage, or a file that is no whole backup.`,
    )
    .action(exitBy(loadOnRun(loadActions, actions => actions.restoreHome)))
}
