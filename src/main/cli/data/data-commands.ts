import { Option, type Command } from 'commander'
import type { ExportFormat } from '../../../shared/contract/data.ts'
import type { ExportOptions } from './data-actions.ts'
import { exitBy, loadOnRun, withCommon } from '../command-line.ts'

const loadActions = () => import('./data-actions.ts')

const formats = Object.keys({ markdown: 0, json: 0, html: 0 } satisfies Record<ExportFormat, 0>)
const EVERY_STEP = 'print every step as a JSON line'

/** Turn a command into one that exports chats to a file. Its argument, if it has one, names a single chat. */
export const addExport = (command: Command): Command =>
  withCommon(command, EVERY_STEP)
    .addOption(new Option('--format <format>', 'the format of the file').choices(formats).default('markdown'))
    .option('-o, --output <file>', 'the file to write (default: a new file in the current folder)')
    .addOption(
      new Option(
        '--branches <which>',
        'only the current path of each chat, or also the branches left by edits and retries',
      )
        .choices(['path', 'all'])
        .default('path'),
    )
    .option('--no-tool-output', 'leave out the arguments and results of tools')
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

/** The options of an export. Commander passes them after the argument, if the command has one. */
function exportOptions([chat, options]: unknown[]): ExportOptions {
  if (typeof chat === 'object') return chat as ExportOptions
  return { ...(options as ExportOptions), ...(typeof chat === 'string' && { chat }) }
}

/** Add the commands about the home folder: sizes, export, backup, restore. */
export function addDataCommands(program: Command): void {
  const data = program
    .command('data')
    .description('measure, export, back up and restore the home folder')
    .addHelpText(
      'after',
      `
A backup is one zip file with chats, memory, skills, settings and the working folder, unchanged, with any passwords in them.
Keys are left out unless you add --with-keys. Model files are always left out. A backup is restored into a new folder; the
old home folder stays.

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
      .description('write one chat or all chats to one file, unchanged')
      .option('--chat <id>', 'only one chat'),
  )
  withCommon(
    data.command('backup').description('write everything to one file, then read the file back to check it'),
    EVERY_STEP,
  )
    .option('-o, --output <file.zip>', 'the file to write (default: a new file in the current folder)')
    .option('--with-keys', 'include keys, and files that may contain keys')
    .option('--no-workspace', 'leave out the working folder and training data')
    .action(exitBy(loadOnRun(loadActions, actions => actions.dataBackup)))
  withCommon(data.command('backups').description('list the backups that Talaria makes automatically')).action(
    loadOnRun(loadActions, actions => actions.dataBackups),
  )
  withCommon(
    data
      .command('take-over')
      .description('take over the home folder from a computer that had it open and is gone'),
  ).action(loadOnRun(loadActions, actions => actions.takeOver))
  data
    .command('restore <file.zip> <folder>')
    .description('restore a backup into a new home folder')
    .option('--json', EVERY_STEP)
    .addHelpText(
      'after',
      `
This needs neither a home folder nor a running Talaria, and changes neither. Restore only backups that you made yourself: a
backup contains settings and rules that decide what the agent may do.

Exit codes: 0 done, 1 failed or stopped, 2 bad usage, or the file is not a complete backup.`,
    )
    .action(exitBy(loadOnRun(loadActions, actions => actions.restoreHome)))
}
