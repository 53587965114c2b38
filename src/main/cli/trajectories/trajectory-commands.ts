import { InvalidArgumentError, Option, type Command } from 'commander'
import { exitBy, loadOnRun, wholeNumber, withHome } from '../command-line.ts'

const loadTrajectories = () => import('./export-trajectories.ts')
const loadTransforms = () => import('./transform-trajectories.ts')

/** Add the commands that export chats as training data, and those that transform such files. */
export function addTrajectoryCommands(program: Command): void {
  const trajectories = program
    .command('trajectories')
    .description('export chats as training data, and work on such files')
  withHome(trajectories.command('export', { isDefault: true }))
    .description('write chats as ShareGPT lines, one per chat, with keys and passwords redacted')
    .addOption(
      new Option('--outcome <which>', 'only chats whose last turn had this outcome')
        .choices(['success', 'failure', 'all'])
        .default('all'),
    )
    .option('--chat <id>', 'only one chat')
    .option('--with-memory', 'keep what Talaria remembers about you and your work in the system part')
    .addOption(
      new Option(
        '--with-other-agents',
        'also finished sessions of Claude Code and other programs, as far as those reported them',
      ).conflicts('chat'),
    )
    .option('-o, --output <file.jsonl>', 'the file to write (default: standard output)')
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      `
Each line is one chat: system (with the tools), human, gpt (with <think> and <tool_call>) and tool (with <tool_response>). Memory
is left out of the system part unless you add --with-memory. The number of chats is printed on standard error. Sessions of other
programs are left out unless you add --with-other-agents: other models wrote them, and their makers may not allow you to train with
them. These sessions have no system part.

Examples:
  talaria trajectories export --outcome success -o chats.jsonl
  talaria trajectories export --chat k2m9xq | head -c 2000

Exit codes: 0 done, 1 failed or stopped, 2 bad usage.`,
    )
    .action(exitBy(loadOnRun(loadTrajectories, trajectories => trajectories.trajectoriesExport)))
  addTransforms(trajectories)
}

/** Repeated options. */
const several = (text: string, before: string[] = []) => [...before, text]

function number(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Enter a number.')
  return value
}

const count = wholeNumber(0, Number.MAX_SAFE_INTEGER)

const FILES = `
FILE.jsonl has one trajectory per line, as ShareGPT (“conversations”) or OpenAI's messages (“messages”), and may be packed with gzip.
Without a file, or with -, the command reads standard input. Unusable lines are reported with their numbers on standard error, and
the others are written. Keys and passwords are redacted, and what Talaria knows about you is left out. Pictures are only named.
Tokens are estimated, within about 13 % for English and code, unless --tokenizer names a model file to count with. Statistics are
printed on standard error.

Exit codes: 0 done, 1 lines were left out, or it was stopped, 2 bad usage, or a file that cannot be read or written.`

function addTransforms(trajectories: Command): void {
  const add = (name: string, description: string) =>
    withHome(trajectories.command(name))
      .argument('[file.jsonl]', 'the lines to read (default: standard input)')
      .description(description)
      .option('--with-memory', 'keep what Talaria knows about you in system parts')
      .option('-o, --output <file.jsonl>', 'the file to write (default: standard output)')
      .option('--force', 'replace an existing file')
      .option(
        '--tokenizer <file.gguf>',
        'count tokens as the model in this file does (default: estimate them)',
      )
      .option('--json', 'print the statistics as one JSON object')
  add('compress', 'shorten trajectories to a number of tokens; their first and last turns stay')
    .requiredOption(
      '--budget <tokens>',
      'maximum number of tokens of a trajectory',
      wholeNumber(1, 100_000_000),
    )
    .option(
      '--keep-last <steps>',
      'number of last steps to keep as long as cutting results is enough',
      wholeNumber(1, 1_000),
      4,
    )
    .addHelpText(
      'after',
      `
The system part, the first question, the first reply with its results and the last step always stay. Between them the oldest turns become
one summary, written by rules, not by a model. If that is not enough, long results are cut in the middle, and then fewer of the last steps
are kept. A trajectory that is still too long is left out and reported. The field “compressed” of a line says what was done.
${FILES}`,
    )
    .action(exitBy(loadOnRun(loadTransforms, actions => actions.compressFile)))
  add('filter', 'keep the trajectories that match the options')
    .addOption(new Option('--outcome <which>', 'with this outcome').choices(['success', 'failure']))
    .option('--min-reward <number>', 'with at least this reward', number)
    .option('--max-reward <number>', 'with at most this reward', number)
    .option('--tool <name>', 'in which this tool was called; may be repeated', several)
    .option('--without-tool <name>', 'in which this tool was not called; may be repeated', several)
    .option('--min-tokens <count>', 'with at least this many tokens', count)
    .option('--max-tokens <count>', 'with at most this many tokens', count)
    .option('--min-replies <count>', 'with at least this many replies of the model', count)
    .option('--max-replies <count>', 'with at most this many replies of the model', count)
    .option('--model <name>', 'by this model, as in the field “model”; may be repeated', several)
    .addHelpText('after', FILES)
    .action(exitBy(loadOnRun(loadTransforms, actions => actions.filterFile)))
  add('convert', 'write trajectories in another form')
    .addOption(
      new Option('--to <form>', 'the form to write')
        .choices(['sharegpt', 'openai', 'hermes'])
        .makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      `
sharegpt: as “trajectories export” writes it. openai: “messages” with “tool_calls” and “reasoning_content”, and “tools”. hermes: the shape
that Hermes Agent documents, with its list of tools and results as JSON; the system part and the description of the tools differ.
${FILES}`,
    )
    .action(exitBy(loadOnRun(loadTransforms, actions => actions.convertFile)))
}
