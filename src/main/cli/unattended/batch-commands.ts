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

/** Add the command that runs the rows of a file, and the command that merges parts of such a run. */
export function addBatchCommands(program: Command): void {
  const batch = shareOptions(program.command('batch'))
    .argument('[file]', 'a file of JSON lines, one row each, with “prompt” and other fields')
    .description('answer every row of a file, each in its own folder, for training data and comparisons')
  withCommon(batch, 'print the plan, the progress and the end as JSON lines')
    .option('--out <dir>', 'the folder for the results; a batch that was started there continues')
    .option('--model <id>', 'the model for rows that name none (default: the model of new chats)')
    .option('--workers <count>', 'attempts at a time', wholeNumber(1, 64), 4)
    .option('--attempts <count>', 'attempts at each row', wholeNumber(1, 1_000), 1)
    .option('--batch-size <count>', 'attempts in one file of results', wholeNumber(1, 100_000), 100)
    .option('--run-name <name>', 'a name for the statistics (default: the name of the file)')
    .option(
      '--budget <tokens>',
      'start no more attempts once this many tokens are used',
      wholeNumber(1, MOST_TOKENS),
    )
    .option(
      '--distribution <name>',
      'draw the toolsets of each row at random, from the distribution of this name',
    )
    .option('--no-tools', 'give the models no tools')
    .addOption(
      new Option(
        '--approve <what>',
        'what runs without asking: commands that only read, or everything (default: what stays in the folder of the attempt)',
      ).choices(['reads', 'all']),
    )
    .option('--shard <part>', 'only one part of the rows, such as 2/4', shardOf)
    .option('--agree <hash>', 'agree to the checks of the rows, with the hash that was printed with them')
    .option('--keep-folders', 'keep the folders of attempts that have ended')
    .addHelpText(
      'after',
      `
A row is a JSON object with “prompt” and, optionally, “id”, “cwd” (a folder next to the file, which is copied in), “image” (a
picture next to the file, for models that can see), “check” (a command that exits with 0 if the attempt succeeded) and
“model”. Ctrl-C pauses; the same command continues, and does not repeat attempts that have ended. Results:
trajectories.jsonl, statistics.json and the folder batches.

Commands of the models run confined, without network, and write only to the folder of their attempt; other calls that
would ask are denied. Where nothing confines commands, only a batch without commands runs. See also docs/guide/batches.md.

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
      .description('merge the results of several parts into a new folder')
      .option('--out <dir>', 'the new folder')
      .option('--json', 'print one JSON object'),
  ).action(loadOnRun(load, actions => actions.mergeInTerminal))
}
