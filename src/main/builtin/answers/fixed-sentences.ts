import type { Known } from './known.ts'

const BEYOND =
  'I am only the small model that comes with Talaria. I can work with the files of this folder, run commands, and remember what you tell me; I cannot answer that.'

/** What is said where the model wants no tool and nothing is known. */
export function sayFallback(_question: string, _known: Known): string {
  return BEYOND
}

/** Whether a text is one that this folder says, whatever was filled in. */
export function isFixedSentence(text: string): boolean {
  return text === BEYOND
}
