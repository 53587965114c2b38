import { parseJson } from '../../lib/expected-errors.ts'
import { readNullsOf } from '../mending/drop-nulls.ts'

/** Characters of one message. What is longer passes as it came, to be judged by who counts it. */
const LONGEST = 32_000_000

/**
 * Bodies of a server at an address, with each message read as if null were absent. The SDK reads bodies itself, and drops a
 * message that is not exactly as it should be: its request would wait for nothing.
 */
export function readNullsIn(
  contentType: string,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const isStream = /^text\/event-stream\b/i.test(contentType)
  if (!isStream && !/json/i.test(contentType)) return new TransformStream()
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let parts: string[] = []
  let length = 0
  const write = (text: string) => encoder.encode(text)

  function take(text: string): string {
    parts.push(text)
    length += text.length
    if (isStream && /[\r\n]/.test(text)) {
      const all = parts.join('')
      const end = Math.max(all.lastIndexOf('\n'), all.lastIndexOf('\r')) + 1
      keep(all.slice(end))
      return all.slice(0, end).replaceAll(/^data:(.*)$/gm, (line, data: string) => eventLine(line, data))
    }
    return length > LONGEST ? flush() : ''
  }
  function keep(text: string): void {
    parts = text === '' ? [] : [text]
    length = text.length
  }
  function flush(): string {
    const all = parts.join('')
    keep('')
    return all
  }

  return new TransformStream({
    transform(piece, controller) {
      const text = take(decoder.decode(piece, { stream: true }))
      if (text !== '') controller.enqueue(write(text))
    },
    flush(controller) {
      const rest = flush() + decoder.decode()
      if (rest !== '') controller.enqueue(write(isStream ? rest : body(rest)))
    },
  })
}

function body(text: string): string {
  const message = parseJson(text)
  return message === undefined ? text : JSON.stringify(readNullsOf(message))
}

/** A line of an event that holds a whole message; others are left as they are. */
function eventLine(line: string, data: string): string {
  const message = parseJson(data)
  return message === undefined ? line : `data: ${JSON.stringify(readNullsOf(message))}`
}
