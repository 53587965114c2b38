import type { Compaction } from '../../../../shared/contract/session.ts'
import { formatCount } from '../../../ui/format.ts'

/** Thousands with one decimal, as in “12.0k”; less than a thousand as it is. */
const inShort = (tokens: number) => (tokens < 1_000 ? formatCount(tokens) : `${(tokens / 1_000).toFixed(1)}k`)

/** Every sentence about messages that are summarised for the model. */
export const compactionText = {
  tokens: ({ tokensBefore, tokensAfter }: Compaction) =>
    `${inShort(tokensBefore)} → ${inShort(tokensAfter)} tokens`,
  summarised: 'Earlier messages are summarised for the model',
  shortened: 'Older tool results are shortened for the model',
  working: 'Summarising earlier messages…',
  region: 'Summary that the model reads',
  made: {
    model: 'The model wrote this summary. It reads it in the place of the messages above.',
    local:
      'This summary was put together by rules, because the model gave none. It reads it in the place of the messages above.',
    pruning: 'The model reads this in the place of the messages above.',
  },
  kept: 'The messages stay here, and the agent can search them.',
  focus: (what: string) => `You asked to keep: ${what}`,

  now: 'Compact now',
  hint: 'Replaces older messages by a summary, for the model; here everything stays.',
  busy: 'Wait until this answer is done.',
  nothing: 'There is nothing to summarise yet.',
  tooLong: (most: number) => `Say in at most ${formatCount(most)} characters what must stay.`,
} as const
