import { oneLine } from '../one-line.ts'

/** A headline is for a glance; the card of the Activity page has the rest. */
const LONGEST = 100
const short = (headline: string) => oneLine(headline, LONGEST)

/** What the chat says of what a review of it found. */
export const proposalText = {
  label: 'Found in this chat',
  short,
  /** What stands before the headline; of what waits, the buttons say enough. */
  says: { open: '', kept: 'Kept: ', rejected: 'Rejected: ', undone: 'Undone: ', dropped: 'Dropped: ' },
  keep: 'Keep',
  edit: 'Edit',
  reject: 'Reject',
  undo: 'Undo',
  view: 'View',
  keepNamed: (headline: string) => `Keep: ${short(headline)}`,
  editNamed: (headline: string) => `Edit: ${short(headline)}`,
  rejectNamed: (headline: string) => `Reject: ${short(headline)}`,
  undoNamed: (headline: string) => `Undo: ${short(headline)}`,
  viewNamed: (headline: string) => `View in activity: ${short(headline)}`,
  changed: 'What this was found for has changed since. View shows what can be done.',
  nothingUndone: 'There was nothing left to undo.',
  field: 'What is to be kept',
  save: 'Keep',
  cancel: 'Cancel',
  keys: (save: string, cancel: string) => `${save} keeps it, ${cancel} leaves it.`,
} as const
