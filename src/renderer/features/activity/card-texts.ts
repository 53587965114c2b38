import { plural } from '../../ui/format.ts'

export const rejectQuestion = (count: number) =>
  `Reject ${plural(count, 'it', 'cards')}? That cannot be undone, but it may be found again.`
export const cardStates = {
  open: 'Waiting',
  kept: 'Kept',
  rejected: 'Rejected',
  undone: 'Undone',
  dropped: 'Dropped',
  saved: 'Saved',
  part: 'Partly undone',
}
export const triggerReasons = {
  memory_nudge: 'Nothing had been saved for a while, so Talaria reviewed this chat.',
  skill_nudge: 'Talaria had done some work here, so it looked for a reusable procedure.',
  compaction: 'A summary was about to replace older messages, so Talaria reviewed them first.',
  session_end: 'The chat ended, so Talaria reviewed it.',
  you: 'You asked for a review.',
  events: 'It comes from the record of another agent.',
}
