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
    .description('tasks that run by themselves')
    .addHelpText(
      'after',
      `
Schedules run while the app or “talaria serve” runs; what was missed is made up for once. Each run is a chat of its own, in
which what would ask is denied. Trial runs, which grant more, are made in the window.

Examples:
  talaria schedule add "every weekday at 8 summarise my notes" --folder ~/notes
  talaria schedule history "Summarise my notes"

Exit codes: 0 done, 1 failed or not planned, 2 bad usage.`,
    )
  withCommon(
    schedule.command('add <text...>').description('add one from words that say when, and what shall be done'),
  )
    .option('--name <name>', 'its name (default: the start of the task)')
    .option('--zone <name>', 'the time zone, such as Europe/Berlin (default: the zone of this computer)')
    .option('--folder <dir>', 'the folder that it works in (default: that of new chats)')
    .option('--model <id>', 'its model, which never changes by itself (default: that of new chats)')
    .option('--skill <id>', 'a skill that it uses; may be given several times', collect)
    .addOption(
      new Option(
        '--mode <mode>',
        'what runs: none of what would ask, or commands that can only read',
      ).choices(['none', 'reads']),
    )
    .addOption(
      new Option('--deliver <how>', 'how you hear of a run').choices([
        'chat',
        'notification',
        'content',
        'messenger',
      ]),
    )
    .addOption(new Option('--missed <what>', 'what is made up for').choices(['latest', 'none']))
    .addOption(new Option('--on-battery <what>', 'whether it runs on battery').choices(['run', 'skip']))
    .option('--run-tokens <count>', 'most tokens of a run', amount)
    .option('--run-usd <amount>', 'most dollars of a run', amount)
    .option('--month-tokens <count>', 'most tokens of a month', amount)
    .option('--month-usd <amount>', 'most dollars of a month', amount)
    .action(loadOnRun(load, actions => actions.scheduleAdd))
  withCommon(schedule.command('list').description('print them, with their next times')).action(
    loadOnRun(load, actions => actions.scheduleList),
  )
  withCommon(schedule.command('show <name>').description('print one whole; by its id or its name')).action(
    loadOnRun(load, actions => actions.scheduleShow),
  )
  withCommon(schedule.command('pause <name>').description('let one not run until it is resumed')).action(
    loadOnRun(load, actions => actions.schedulePause),
  )
  withCommon(
    schedule.command('resume <name>').description('let one run again; what was missed is not made up for'),
  ).action(loadOnRun(load, actions => actions.scheduleResume))
  withCommon(schedule.command('run <name>').description('run one now, and wait for its end')).action(
    exitBy(loadOnRun(load, actions => actions.scheduleRun)),
  )
  withCommon(schedule.command('remove <name>').description('delete one; its chats stay')).action(
    loadOnRun(load, actions => actions.scheduleRemove),
  )
  withCommon(
    schedule.command('history <name>').description('print how its runs ended, and why one did not happen'),
  )
    .option('--limit <count>', 'how many', wholeNumber(1, 200), 20)
    .action(loadOnRun(load, actions => actions.scheduleHistory))
  withCommon(
    schedule
      .command('undo <run>')
      .description('put back the files that a run wrote, as far as they were not changed since'),
  )
    .option('--obeyed', 'also those that programs obey without being asked, such as .vscode and hooks of git')
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
    schedule
      .command('parse <text...>')
      .description('print when a text says that something runs, and the rest of it'),
  )
    .option('--now <instant>', 'the instant to count from, such as 2026-12-24T08:00:00+01:00 (default: now)')
    .option('--zone <name>', 'the time zone, such as Europe/Berlin (default: the zone of this computer)')
    .addHelpText(
      'after',
      `
English, German, five fields of cron, and dates as 2026-12-24T08:00 are understood. Hours are on the 24-hour clock; a time
alone means once. What can be read in two ways is refused, with what is open.

Examples:
  talaria schedule parse "every weekday at 8 summarise my notes"
  talaria schedule parse "jeden zweiten Dienstag im Monat um 14 Uhr" --zone Europe/Berlin
  talaria schedule parse "0 8 * * 1-5"

Exit codes: 0 planned, 1 refused, 2 bad usage.`,
    )
    .action(exitBy(loadOnRun(load, actions => actions.scheduleParse)))
}
