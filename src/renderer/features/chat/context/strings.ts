import { formatCount, formatShare } from '../../../ui/format.ts'

/** Every sentence of the panel that shows what the model sees. */
export const contextText = {
  open: 'Show what the model sees',
  close: 'Close the panel',
  title: 'Context',

  hint: 'What the model sees with your next message, in this order.',
  empty: 'Nothing yet: what the model sees is put together with your first message.',
  reading: 'Reading…',
  failed: (why: string) => `What the model sees could not be read: ${why}`,
  tryAgain: 'Try again',
  used: (tokens: number, of: number) => `${formatCount(tokens)} of ${formatCount(of)} tokens`,
  usedOnly: (tokens: number) => `${formatCount(tokens)} tokens`,
  share: (share: number) => `${formatShare(share)} of what the model can see at once`,
  estimated: 'Estimated: the model counts a little differently.',
  tooMuch: 'This is more than the model can see at once; the oldest turns are left out.',
  parts: 'Parts',
  tokens: 'tokens',
  nothing: 'This part is empty.',
  copy: (title: string) => `Copy: ${title}`,
  copied: 'Copied',
  stale: 'changed since',

  changed: (titles: readonly string[]) =>
    titles.length === 1
      ? `1 change applies to new chats: ${titles[0]}.`
      : `${titles.length} changes apply to new chats: ${titles.join(', ')}.`,
  apply: 'Apply here now',
  applyHint: 'The prompt is then read again, which takes a moment.',
  busy: 'Wait until this answer is done.',
} as const
