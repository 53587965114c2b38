import { setImmediate as turn } from 'node:timers/promises'
import type { CompletionEvent } from '../../interface/engine.ts'

/**
 * Maximum length of one answer, in characters, and of one line of it, in bytes. Longer than any model writes
 * in one go, and short enough not to block the host.
 */
export const MOST_ANSWER = 500_000

/** How many characters to handle before yielding to other work of the process. */
const SLICE = 16_000

/**
 * Pass on the lines of an event stream, each as soon as it is complete. A line over the limit is closed where
 * it is, which ends the stream. `onCut` is called in that case.
 */
export function boundLines(
  onCut: () => void,
  most = MOST_ANSWER,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let held: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  return new TransformStream({
    transform(bytes, controller) {
      for (let at = 0; at < bytes.length; at += SLICE) {
        const piece = bytes.subarray(at, at + SLICE)
        const lineEnd = Math.max(piece.lastIndexOf(10), piece.lastIndexOf(13)) + 1
        if (lineEnd > 0) {
          for (const each of [...held, piece.subarray(0, lineEnd)]) controller.enqueue(each)
          held = []
          size = 0
        }
        held.push(piece.subarray(lineEnd))
        size += piece.length - lineEnd
        if (size <= most) continue
        onCut()
        const closed = closeJson(textOf(held))
        if (closed !== undefined) controller.enqueue(new TextEncoder().encode(`${closed}\n\n`))
        controller.terminate()
        return
      }
    },
    flush(controller) {
      for (const each of held) controller.enqueue(each)
    },
  })
}

/** Read the JSON body of an answer. A body over the limit is closed where it is, and `onCut` is called. */
export async function readBoundJson(
  { body }: Response,
  onCut: () => void,
  most = MOST_ANSWER,
): Promise<unknown> {
  const read: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const bytes of body ?? []) {
    read.push(bytes)
    size += bytes.length
    if (size > most) break
  }
  const text = textOf(read)
  if (size <= most) return JSON.parse(text)
  onCut()
  return JSON.parse(closeJson(text) ?? 'null')
}

/** Yield the same events with long texts in slices, so that other work of the process can run in between. */
export async function* inSlices(
  events: Iterable<CompletionEvent>,
): AsyncGenerator<CompletionEvent, void, void> {
  for (const event of events) {
    if ((event.type !== 'text' && event.type !== 'reasoning') || event.text.length <= SLICE) {
      yield event
      continue
    }
    for (let at = 0; at < event.text.length;) {
      // Keep surrogate pairs together.
      const isSplit = /[\uD800-\uDBFF]/.test(event.text[at + SLICE - 1] ?? '')
      const text = event.text.slice(at, at + SLICE - (isSplit ? 1 : 0))
      yield { ...event, text }
      at += text.length
      await turn()
    }
  }
}

/**
 * Close a JSON text that ends inside a string, so that it can be parsed. Undefined if it ends elsewhere. Text
 * before the first bracket stays as it is.
 */
function closeJson(text: string): string | undefined {
  const closers: string[] = []
  let isInString = false
  let escapeAt = -1
  let escapeBefore = -1
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isInString && character === '\\') {
      escapeBefore = escapeAt
      escapeAt = at
      at += 1
    } else if (character === '"') isInString = !isInString
    else if (isInString) continue
    else if (character === '{') closers.push('}')
    else if (character === '[') closers.push(']')
    else if (character === '}' || character === ']') closers.pop()
  }
  if (!isInString) return undefined
  // The end may be half an escape, or half of a character that takes two escapes.
  const isHalf = escapeAt >= 0 && HALF_ESCAPE.test(text.slice(escapeAt))
  const isPair = isHalf && escapeBefore >= 0 && HIGH_ESCAPE.test(text.slice(escapeBefore, escapeAt))
  const whole = text
    .slice(0, isPair ? escapeBefore : isHalf ? escapeAt : undefined)
    .replace(/[\uD800-\uDBFF]$/, '')
  return `${whole}"${closers.toReversed().join('')}`
}

const HIGH_ESCAPE = /^\\ud[89ab][\da-f]{2}$/i
const HALF_ESCAPE = /^\\(u[\da-f]{0,3}|ud[89ab][\da-f]{2})?$/i

/** Decode bytes, without a character that is cut off at their end. */
function textOf(pieces: readonly Uint8Array<ArrayBuffer>[]): string {
  const decoder = new TextDecoder()
  return pieces.map(each => decoder.decode(each, { stream: true })).join('')
}
