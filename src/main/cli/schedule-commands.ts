import type { Command } from 'commander'
import { exitBy, loadOnRun, withCommon } from './command-line.ts'

/** Add the commands about schedules. */
export function addScheduleCommands(program: Command): void {
  const schedule = program.command('schedule').description('read when something shall run from words')
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
    .action(
      exitBy(
        loadOnRun(
          () => import('./schedule-actions.ts'),
          actions => actions.scheduleParse,
        ),
      ),
    )
}
