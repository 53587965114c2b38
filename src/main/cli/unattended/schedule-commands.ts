import { InvalidArgumentError, Option, type Command } from 'commander'
import { exitBy, loadOnRun, wholeNumber, withCommon } from '../command-line.ts'

const load = () => import('./schedule-actions.ts')
const collect = (value: string, before: string[] = []) => [...before, value]

const amount = (text: string) => {
  const number = Number(text)
  if (Number.isFinite(number) && number > 0) return number
  throw new InvalidArgumentError('Enter a number above 0.')
}

/** Add the commands about schedules. */
export function addScheduleCommands(program: Command): void {
  const schedule = program
    .command('schedule')
    .description('manage schedules: tasks that run automatically')
    .addHelpText(
      'after',
      `
Schedules run while the app or “talaria serve” is running; missed runs are caught up on once. Each run has its own chat, in
which calls that would ask are denied. Trial runs, in which you can allow more, start in the window.

Examples:
  talaria schedule add "every weekday at 8 summarise my notes" --folder ~/notes
  talaria schedule history "Summarise my notes"

Exit codes: 0 done, 1 failed or not planned, 2 bad usage.`,
    )
  withCommon(
    schedule
      .command('add <text...>')
      .description('add a schedule from words that say when to run, and what to do'),
  )
    .option('--name <name>', 'the name of the schedule (default: the start of the task)')
    .option('--zone <name>', 'the time zone, such as Europe/Berlin (default: the zone of this computer)')
    .option('--folder <dir>', 'the folder to work in (default: the folder of new chats)')
    .option('--model <id>', 'the model, which never changes automatically (default: the model of new chats)')
    .option('--skill <id>', 'a skill to use; may be given several times', collect)
    .addOption(
      new Option(
        '--mode <mode>',
        'for calls that would ask: deny all, or run commands that can only read',
      ).choices(['none', 'reads']),
    )
    .addOption(
      new Option('--deliver <how>', 'how you are told about a run').choices([
        'chat',
        'notification',
        'content',
        'messenger',
      ]),
    )
    .addOption(new Option('--missed <what>', 'which missed runs to catch up on').choices(['latest', 'none']))
    .addOption(new Option('--on-battery <what>', 'whether to run on battery power').choices(['run', 'skip']))
    .option('--run-tokens <count>', 'maximum tokens of a run', amount)
    .option('--run-usd <amount>', 'maximum dollars of a run', amount)
    .option('--month-tokens <count>', 'maximum tokens of a month', amount)
    .option('--month-usd <amount>', 'maximum dollars of a month', amount)
    .action(loadOnRun(load, actions => actions.scheduleAdd))
  withCommon(schedule.command('list').description('print the schedules with their next times')).action(
    loadOnRun(load, actions => actions.scheduleList),
  )
  withCommon(
    schedule.command('show <name>').description('print a schedule in full, by its id or its name'),
  ).action(loadOnRun(load, actions => actions.scheduleShow))
  withCommon(schedule.command('pause <name>').description('pause a schedule until you resume it')).action(
    loadOnRun(load, actions => actions.schedulePause),
  )
  withCommon(
    schedule.command('resume <name>').description('resume a schedule; missed runs are not caught up on'),
  ).action(loadOnRun(load, actions => actions.scheduleResume))
  withCommon(schedule.command('run <name>').description('run a schedule now, and wait until it ends')).action(
    exitBy(loadOnRun(load, actions => actions.scheduleRun)),
  )
  withCommon(schedule.command('remove <name>').description('delete a schedule; its chats stay')).action(
    loadOnRun(load, actions => actions.scheduleRemove),
  )
  withCommon(
    schedule
      .command('history <name>')
      .description('print how the runs of a schedule ended, and why some did not happen'),
  )
    .option('--limit <count>', 'maximum number of runs', wholeNumber(1, 200), 20)
    .action(loadOnRun(load, actions => actions.scheduleHistory))
  withCommon(
    schedule
      .command('undo <run>')
      .description('restore the files that a run changed, except those that were changed since'),
  )
    .option(
      '--obeyed',
      'also restore files that programs obey without asking you, such as .vscode and git hooks',
    )
    .action(
      exitBy(
        loadOnRun(
          load,
          actions => (run: string, options: object) =>
            actions.scheduleUndo(wholeNumber(1, Number.MAX_SAFE_INTEGER)(run), options),
        ),
      ),
    )
  withCommon(
    schedule.command('parse <text...>').description('print the times that a text describes, and its task'),
  )
    .option('--now <instant>', 'the instant to count from, such as 2026-12-24T08:00:00+01:00 (default: now)')
    .option('--zone <name>', 'the time zone, such as Europe/Berlin (default: the zone of this computer)')
    .addHelpText(
      'after',
      `
Talaria understands English, German, five fields of cron, and dates such as 2026-12-24T08:00. Hours are on the 24-hour clock; a
time alone means once. An ambiguous text is refused with the reason.

Examples:
  talaria schedule parse "every weekday at 8 summarise my notes"
  talaria schedule parse "jeden zweiten Dienstag im Monat um 14 Uhr" --zone Europe/Berlin
  talaria schedule parse "0 8 * * 1-5"

Exit codes: 0 planned, 1 refused, 2 bad usage.`,
    )
    .action(exitBy(loadOnRun(load, actions => actions.scheduleParse)))
}
