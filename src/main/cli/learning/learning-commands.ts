import { Option, type Command } from 'commander'
import { exitBy, loadOnRun, withCommon, withHome } from '../command-line.ts'
import { addTrajectoryCommands } from '../trajectories/trajectory-commands.ts'

const load = () => import('./learning-actions.ts')
const loadUndo = () => import('./learning-undo.ts')
const loadRun = () => import('./learning-run.ts')
const loadLearn = () => import('./learn-command.ts')

/** Add the commands about learning. */
export function addLearningCommands(program: Command): void {
  addLearning(program)
  addLearn(program)
  addTrajectoryCommands(program)
}

function addLearning(program: Command): void {
  const learning = program
    .command('learning')
    .description('show what was learned from chats, decide on proposals, and undo')
    .addHelpText(
      'after',
      `
Ids are shortened to their last characters. Everything that was learned can be undone at any time.

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

Exit codes: 0 done, 1 failed, stopped, or only partly done, 2 bad usage.`,
    )

  withCommon(
    learning
      .command('list', { isDefault: true })
      .description('print the open proposals, then what was learned'),
  )
    .option('--all', 'everything that was learned')
    .addOption(
      new Option('--filter <which>', 'only memory or skills, undone changes, or reviews without a result')
        .choices(['memory', 'skills', 'undone', 'quiet'])
        .default('all', 'everything'),
    )
    .action(loadOnRun(load, learning => learning.learningList))
  withCommon(learning.command('show <id>').description('print one proposal in full')).action(
    loadOnRun(load, learning => learning.learningShow),
  )
  withCommon(learning.command('approve <id...>').description('accept proposals'))
    .option('--text <words>', 'accept the proposal with another wording')
    .option('--anyway', 'accept a proposal even if its target has changed since')
    .action(exitBy(loadOnRun(load, learning => learning.learningApprove)))
  withCommon(learning.command('reject <id...>').description('reject proposals'))
    .option('--not-again', 'also add a rule against similar proposals')
    .action(loadOnRun(load, learning => learning.learningReject))
  withCommon(learning.command('undo [id...]').description('undo what was learned'))
    .option('--review <id>', 'everything from one review')
    .option('--chat <id>', 'everything from one chat')
    .option('--since <day>', 'everything since a day, such as 2026-11-01')
    .option('--yes', 'do not ask')
    .action(exitBy(loadOnRun(loadUndo, undo => undo.learningUndo)))
  withCommon(
    learning
      .command('run [chat]')
      .description('review a chat now, or run all queued reviews, and wait until they end'),
  ).action(exitBy(loadOnRun(loadRun, run => run.learningRun)))
  addRules(learning)
  withCommon(
    learning.command('settings [name] [value]').description('print the learning settings, or change one'),
  ).action(loadOnRun(load, learning => learning.learningSettings))
}

function addRules(learning: Command): void {
  const rules = learning.command('rules').description('show and change the rules about what not to learn')
  withCommon(rules.command('list', { isDefault: true }).description('print the rules')).action(
    loadOnRun(load, learning => learning.rulesList),
  )
  withCommon(rules.command('add <text...>').description('add a rule')).action(
    loadOnRun(load, learning => learning.rulesAdd),
  )
  withCommon(rules.command('remove <id...>').description('remove rules')).action(
    loadOnRun(load, learning => learning.rulesRemove),
  )
}

function addLearn(program: Command): void {
  withHome(program.command('learn [path]'))
    .description('learn from a text file, a folder of text files, or the work of another agent')
    .option(
      '--from <events.jsonl|program>',
      'a file of events, one JSON object per line (- is standard input), or claude-code, pi or codex for its own sessions',
    )
    .option('--sessions <n>', 'for a program: number of its newest sessions (default: 50)')
    .option('--days <n>', 'for a program: only sessions of the last <n> days')
    .option('--yes', 'for a program: do not ask before a model reads its sessions')
    .option(
      '--model <file.gguf|id>',
      'the model for the reviews: a GGUF file or a model id (default: the model of new chats)',
    )
    .option('--json', 'print every step as a JSON line')
    .option('--verbose', 'also print how each review ended: times, tokens, the model')
    .addHelpText(
      'after',
      `
Talaria reviews a text like a chat: at most 200,000 characters in 200 files, without secrets. Others may have written the text,
so every finding becomes a proposal. In a folder, hidden, ignored and binary files and links are left out.

With --from, each line is one event of a session, in order. Sessions may be mixed. “at” is optional, in epoch milliseconds.
  {"type":"user_message","session":"s1","at":1763712000000,"text":"Please use pnpm."}
  {"type":"reply","session":"s1","text":"I will.","calls":1}
  {"type":"tool_result","session":"s1","name":"terminal","arguments":{"command":"pnpm i"},"ok":true,"text":"Done."}
  {"type":"turn_end","session":"s1","reason":"done"}
  {"type":"session_end","session":"s1"}
Invalid lines are reported with their number and skipped. Findings become proposals or are saved, as after a chat. A session
that ends with the file is reviewed as a whole.

With --from claude-code, pi or codex, Talaria reads earlier sessions from that program's own files on this computer, also where
CLAUDE_CONFIG_DIR, PI_CODING_AGENT_DIR or CODEX_HOME says. It first lists the sessions with their folders and days, and asks; in a
pipe, add --yes. Known sessions are left out, every finding becomes a proposal, and learning.foreign_reviews_a_day limits the
reviews a day. If this folder has a file of that name, Talaria reads the file. Support for Codex follows its documented format
and has not been tested with the program.

Examples:
  talaria learn docs/release.md
  talaria learn --from events.jsonl
  talaria learn --from claude-code --days 30
  my-agent --log-events | talaria learn --from - --json

Exit codes: 0 done, 1 failed, stopped, or partly unreadable, 2 bad usage or no events.`,
    )
    .action(exitBy(loadOnRun(loadLearn, learnCommand => learnCommand.learnCommand)))
}
