import type { CompletionEvent, LlmEngine, Prompt } from '../../interface/engine.ts'

const GO_ON =
  'Your answer was cut off. Go on exactly where it ends, without repeating anything and without any word about it. If its last word is not complete, begin with that whole word.'

/**
 * Let a server continue a reply. No field for the start of a reply is understood everywhere. So the reply so
 * far is sent as a message, and another message, which is not saved, asks to continue. Words that the model
 * still repeats from the end are dropped.
 */
export async function* continueReply(
  complete: LlmEngine['complete'],
  { written = '', ...prompt }: Prompt,
  signal: AbortSignal,
): AsyncGenerator<CompletionEvent, void, void> {
  const messages = [
    ...prompt.messages,
    { role: 'assistant', text: written.trimEnd() },
    { role: 'user', text: GO_ON },
  ] as const
  const seam = joinAt(written)
  for await (const event of complete({ ...prompt, messages }, signal)) {
    // A call, an end or a failure: no repetition can follow.
    const text = event.type === 'text' ? seam.push(event.text) : isOutput(event) ? seam.end() : ''
    if (text !== '') yield { type: 'text', text }
    if (event.type !== 'text') yield event
  }
}

const isOutput = ({ type }: CompletionEvent) => type === 'call' || type === 'done' || type === 'failed'

/** Joins two texts that arrive one after the other. */
type Seam = {
  /** The part of the second text that can be shown now. */
  push(text: string): string
  /** The text that was held back. */
  end(): string
}

/**
 * Join a text with its continuation, and drop the words that are repeated at the seam. Two words get a space
 * between them. Text is held back only while it could still be such a repetition.
 */
function joinAt(before: string): Seam {
  let held = ''
  let isOpen = true

  const settle = (): string => {
    isOpen = false
    const text = held.trimStart()
    const repeated = overlap(before, text) || overlap(before.trimEnd(), text)
    if (repeated > 0) return text.slice(repeated)
    if (isSpaced(before.at(-1)) && isSpaced(held[0])) return ` ${held}`
    return /[ \t]$/.test(before) ? held.replace(/^ +/, '') : held
  }
  return {
    push(text) {
      if (!isOpen) return text
      held += text
      // Text that occurs in `before` may still turn out to repeat its end.
      return before.includes(held.trimStart()) ? '' : settle()
    },
    end: () => (isOpen ? settle() : ''),
  }
}

/** Return the length of the longest beginning of `text` that `before` ends with, starting at a whole word. */
function overlap(before: string, text: string): number {
  for (let length = Math.min(before.length, text.length); length > 0; length--) {
    const isWithinWord = isSpaced(text[0]) && isSpaced(before[before.length - length - 1])
    if (!isWithinWord && before.endsWith(text.slice(0, length))) return length
  }
  return 0
}

/** Letters of scripts that put spaces between words, and digits. */
const SPACED =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Hangul}\p{Script=Devanagari}\p{N}]/u
const isSpaced = (char: string | undefined) => char !== undefined && SPACED.test(char)
