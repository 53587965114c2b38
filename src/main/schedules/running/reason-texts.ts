import type { ScheduleReason } from '../../../shared/contract/schedules.ts'

/** Why a run did not happen, or did not end well, as a sentence for the person. */
export const reasonTexts: Record<Exclude<ScheduleReason, '' | 'failed'>, string> = {
  off: 'Talaria was not running at that time.',
  asleep: 'This computer slept at that time.',
  on_battery: 'This computer ran on its battery, and the schedule waits for mains power.',
  model_missing: 'Its model is not there any more. Choose another one for the schedule.',
  folder_gone: 'Its folder is not there any more. Choose another one for the schedule.',
  skill_missing: 'A skill that it uses is not there any more.',
  lock_on: 'The offline lock was on, and its model is on a server.',
  still_running: 'The run before it had not ended yet.',
  month_limit: 'It has used up what it may use in this month.',
  run_limit: 'It reached the limit of one run.',
  stopped: 'It was stopped by you.',
  quit: 'Talaria was quit while it ran.',
  removed: 'The schedule was deleted while it ran.',
  no_tools: 'It answered without looking at anything: it used none of its tools.',
}

/** The text of a run whose process died. */
export const UNKNOWN_TEXT =
  'Talaria ended in the middle of it, so it is not known how far it came. It is not repeated by itself: look at its chat, and run it again if you want to.'
