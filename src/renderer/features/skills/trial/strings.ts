import { formatCount } from '../../../ui/format.ts'

/** Every sentence of the trial of a skill. */
export const trialText = {
  trigger: 'Would it trigger?',
  triggerSays:
    'Five things that somebody could write. The model of your chats is asked which skill it would load for each; some should lead to this skill, and some should not. Nothing is done.',
  loading: 'Thinking of samples…',
  samplesFailed: (why: string) => `No samples could be made. ${why} Write your own.`,
  sample: (number: number) => `Sample ${number}`,
  samplePlaceholder: 'What somebody could write',
  run: 'Ask the model',
  again: 'Ask again',
  running: (done: number, all: number) => `Asking… ${formatCount(done)} of ${formatCount(all)}`,
  stop: 'Stop',
  fresh: 'Other samples',
  failed: (why: string) => `The model could not be asked. ${why}`,
  stopped: 'Stopped.',

  waiting: 'waiting',
  asking: 'asking…',
  chosen: 'loads this skill',
  other: (name: string) => `loads “${name}” instead`,
  none: 'loads none',
  unclear: 'gave no clear answer',

  verdict(chosen: number, all: number, model: string): string {
    if (all === 0) return `${model} gave no clear answer to any of them. Another model may do better.`
    if (chosen === 0)
      return `${model} would load it for none of them. Say in the description when it should be used, in words that people write.`
    if (chosen === all && all > 2)
      return `${model} would load it for all ${formatCount(all)}. If some of them are not its business, the description promises too much.`
    return `${model} would load it for ${formatCount(chosen)} of ${formatCount(all)}.`
  },
  notOffered:
    'This skill is off or kept back, so no model gets it in a chat now. Here it is asked about as if it were on.',

  tryTitle: 'Try it',
  trySays:
    'A new chat with the skill already named. Write what you want and send it; the chat can be deleted after that.',
  try: 'Try it in a new chat',
  tryFailed: (why: string) => `The chat could not be begun. ${why}`,
} as const
