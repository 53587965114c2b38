import { Option, type Command } from 'commander'
import { exitBy, loadOnRun, withCommon, withHome } from './command-line.ts'

const load = () => import('./learning-actions.ts')
const loadUndo = () => import('./learning-undo.ts')
const loadRun = () => import('./learning-run.ts')
const loadLearn = () => import('./learn-command.ts')
const loadTrajectories = () => import('./export-trajectories.ts')

/** Add the commands about learning. */
export function addLearningCommands(program: Command): void {
  addLearning(program)
  addLearn(program)
  addTrajectories(program)
}

function addLearning(program: Command): void {
  const learning = program
    .command('learning')
    .description('see what was learned from chats, decide about what waits, and take it back')
    .addHelpText(
      'after',
      `
Whatever is named has a short id, the end of the whole one. What was learned can be taken back at any time.

Examples:
  talaria learning list
  talaria learning show k2m9xq
  talaria learning approve k2m9xq 7c31vd
  talaria learning approve k2m9xq --text "Prefers pnpm over npm."
  talaria learning reject 7c31vd --not-again
  talaria learning undo k2m9xq
  talaria learning undo --since 2026-11-01
  talaria learning run
  talaria learning rules add "Nothing about my health."
  talaria learning settings mode save

Exit codes: 0 done, 1 it failed, only a part was done, or it was stopped, 2 bad usage.`,
    )

  withCommon(learning.command('list').description('print what waits for you, then what was learned'))
    .option('--all', 'everything that was ever learned')
    .addOption(
      new Option(
        '--filter <which>',
        'only what was learned of one kind, taken back, or reviews without a result',
      )
        .choices(['memory', 'skills', 'undone', 'quiet'])
        .default('all', 'everything'),
    )
    .action(loadOnRun(load, learning => learning.learningList))
  withCommon(learning.command('show <id>').description('print one proposal whole')).action(
    loadOnRun(load, learning => learning.learningShow),
  )
  withCommon(learning.command('approve <id...>').description('keep what is proposed'))
    .option('--text <words>', 'keep it in other words')
    .option('--anyway', 'although what it is made for has changed meanwhile')
    .action(exitBy(loadOnRun(load, learning => learning.learningApprove)))
  withCommon(learning.command('reject <id...>').description('turn down what is proposed'))
    .option('--not-again', 'and write a rule against this kind of thing')
    .action(loadOnRun(load, learning => learning.learningReject))
  withCommon(learning.command('undo [id...]').description('take back what was learned'))
    .option('--review <id>', 'all that came from a review')
    .option('--chat <id>', 'all that came from a chat')
    .option('--since <day>', 'all since a day, such as 2026-11-01')
    .option('--yes', 'do not ask')
    .action(exitBy(loadOnRun(loadUndo, undo => undo.learningUndo)))
  withCommon(
    learning.command('run [chat]').description('review a chat now, or all that wait, and wait for the end'),
  ).action(exitBy(loadOnRun(loadRun, run => run.learningRun)))
  addRules(learning)
  withCommon(
    learning.command('settings [name] [value]').description('print how it is learned, or change it'),
  ).action(loadOnRun(load, learning => learning.learningSettings))
}

function addRules(learning: Command): void {
  const rules = learning.command('rules').description('see and change what is not to be learned')
  withCommon(rules.command('list', { isDefault: true }).description('print the rules')).action(
    loadOnRun(load, learning => learning.rulesList),
  )
  withCommon(rules.command('add <text...>').description('write a rule')).action(
    loadOnRun(load, learning => learning.rulesAdd),
  )
  withCommon(rules.command('remove <id...>').description('take rules away')).action(
    loadOnRun(load, learning => learning.rulesRemove),
  )
}

function addLearn(program: Command): void {
  withHome(program.command('learn'))
    .description('learn from what another agent did')
    .requiredOption('--from <events.jsonl>', 'a file of events, one JSON object a line; - is standard input')
    .option(
      '--model <file.gguf|id>',
      'who reads them: a GGUF file, or the id of a model (default: that of new chats)',
    )
    .option('--json', 'print every step as a JSON line')
    .addHelpText(
      'after',
      `
Each line is one event of a session, in order; sessions may be mixed. “at” is in epoch milliseconds and may be left out.
  {"type":"user_message","session":"s1","at":1763712000000,"text":"Please use pnpm."}
  {"type":"reply","session":"s1","text":"I will.","calls":1}
  {"type":"tool_result","session":"s1","name":"terminal","arguments":{"command":"pnpm i"},"ok":true,"text":"Done."}
  {"type":"turn_end","session":"s1","reason":"done"}
  {"type":"session_end","session":"s1"}
A line that cannot be read is told with its number and stops nothing. What is found waits, or is saved, as it would be after
a chat; a session that ends with the file is looked at as a whole.

Examples:
  talaria learn --from events.jsonl
  my-agent --log-events | talaria learn --from - --json

Exit codes: 0 done, 1 it failed, was stopped, or a part could not be read, 2 bad usage, or no event at all.`,
    )
    .action(exitBy(loadOnRun(loadLearn, learnCommand => learnCommand.learnCommand)))
}

function addTrajectories(program: Command): void {
  const trajectories = program.command('trajectories').description('chats as training data')
  withHome(trajectories.command('export'))
    .description('write chats as ShareGPT lines, one each; keys and passwords are blackened')
    .addOption(
      new Option('--outcome <which>', 'chats whose last turn went well, or did not')
        .choices(['success', 'failure', 'all'])
        .default('all'),
    )
    .option('--chat <id>', 'only one chat')
    .option('-o, --output <file.jsonl>', 'where to (default: standard output)')
    .option('--force', 'replace a file that is there')
    .addHelpText(
      'after',
      `
Each line is one chat: system, human, gpt (with <think> and <tool_call>) and tool (with <tool_response>). How many there were
is told on standard error.

Examples:
  talaria trajectories export --outcome success -o chats.jsonl
  talaria trajectories export --chat k2m9xq | head -c 2000

Exit codes: 0 done, 1 it failed or was stopped, 2 bad usage.`,
    )
    .action(exitBy(loadOnRun(loadTrajectories, trajectories => trajectories.trajectoriesExport)))
}
