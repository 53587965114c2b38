import { InvalidArgumentError, Option, type Command } from 'commander'
import { exitBy, loadOnRun, shareOptions, withCommon, withHome, wholeNumber } from '../command-line.ts'

const load = () => import('./batch-actions.ts')

/** Parse a part such as `2/4`. */
function shardOf(text: string): { index: number; count: number } {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []
  if (Number(index) >= 1 && Number(index) <= Number(count) && Number(count) <= 100_000)
    return { index: Number(index), count: Number(count) }
  throw new InvalidArgumentError('Enter the part and how many there are, such as 2/4.')
}

const MOST_TOKENS = Number.MAX_SAFE_INTEGER

/** Add the command that runs the rows of a file, and the one that puts parts of such a run together. */
export function addBatchCommands(program: Command): void {
  const batch = shareOptions(program.command('batch'))
    .argument('[file]', 'JSON lines, one row each, with “prompt” and what else it has')
    .description('answer every row of a file, each in a folder of its own, for training data and comparisons')
  withCommon(batch, 'print the plan, the progress and the end as JSON lines')
    .option('--out <dir>', 'the folder of the results; one that was begun goes on')
    .option('--model <id>', 'the model of rows that name none (default: that of new chats)')
    .option('--workers <count>', 'attempts at a time', wholeNumber(1, 64), 4)
    .option('--attempts <count>', 'attempts at each row', wholeNumber(1, 1_000), 1)
    .option('--batch-size <count>', 'attempts in one file of results', wholeNumber(1, 100_000), 100)
    .option('--run-name <name>', 'a name for the statistics (default: that of the file)')
    .option('--budget <tokens>', 'begin no attempt once so many tokens are used', wholeNumber(1, MOST_TOKENS))
    .option('--distribution <name>', 'draw the toolsets of each row, by a distribution of this name')
    .option('--no-tools', 'give the models no tools')
    .addOption(
      new Option(
        '--approve <what>',
        'what runs unasked: commands that only read, or everything (default: what stays in the folder of the attempt)',
      ).choices(['reads', 'all']),
    )
    .option('--shard <part>', 'only one part of the rows, such as 2/4', shardOf)
    .option('--agree <hash>', 'agree to the checks of the rows, by the hash that was shown with them')
    .option('--keep-folders', 'keep the folders of attempts that have ended')
    .addHelpText(
      'after',
      `
A row is a JSON object with “prompt” and, if wanted, “id”, “cwd” (a folder beside the file that is copied in), “image” (a
picture beside the file, for models that see), “check” (a command that exits with 0 where the attempt succeeded) and
“model”. Ctrl-C pauses; the same command goes on, and makes no attempt twice that has ended. Results:
trajectories.jsonl, statistics.json and the folder batches.

Commands of the models run confined, without network, and write only in the folder of their attempt; what else would ask
is denied. Where nothing confines commands, only a batch without them runs. docs/guide/batches.md tells the rest.

Examples:
  talaria batch questions.jsonl --out results
  talaria batch tasks.jsonl --out tasks-1 --shard 1/2 --attempts 8 --distribution development
  talaria batch merge tasks-1 tasks-2 --out tasks

Exit codes: 0 every attempt has ended, 1 it was paused or stopped, or lines could not be run, 2 bad usage.`,
    )
    .action(exitBy(loadOnRun(load, actions => actions.runInTerminal)))
  withHome(
    batch
      .command('merge <dir...>')
      .description('put the results of several parts into a new folder')
      .option('--out <dir>', 'the new folder')
      .option('--json', 'print one JSON object'),
  ).action(loadOnRun(load, actions => actions.mergeInTerminal))
}
