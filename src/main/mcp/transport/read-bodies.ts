import { parseJson } from '../../lib/expected-errors.ts'
import { readNullsOf } from '../mending/drop-nulls.ts'

/** Maximum length of a message in characters. Longer ones pass unchanged, and others judge them. */
const LONGEST = 32_000_000

/**
 * Transform the HTTP bodies of a server so that null counts as missing. The SDK reads the bodies itself and
 * drops irregular messages, whose requests would wait forever.
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

/** Transform an event line that contains a whole message; others stay unchanged. */
function eventLine(line: string, data: string): string {
  const message = parseJson(data)
  return message === undefined ? line : `data: ${JSON.stringify(readNullsOf(message))}`
}
