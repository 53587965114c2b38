import { MOST_ANSWER } from './bound-answer.ts'
import { isRecord, type Fields } from '../../../lib/json-fields.ts'

/** Writes the events of a stream as text, in the form of one protocol. */
export type EventWriter = {
  /** Write one event. `name` is the server's name for it, `raw` the JSON text of `value`. */
  event(value: Fields, name: string | undefined, raw: string): string
  /** Write the mark that ends the stream. */
  end(): string
  /** Write an error that arrived without the protocol's envelope. */
  problem(value: unknown): string
}

/** Maximum attempts to parse a multi-line JSON text, one for each line that could end it. */
const MOST_TRIES = 8

/**
 * Rewrite the events of a stream, so that each is whole and has its name. Servers omit the names of events,
 * the blank lines between them or the word `data:`. They write `data:` twice, or put an error on a line of
 * its own. Text that is not JSON is passed on unchanged, and the SDK rejects it. Each piece of input must end
 * with a line.
 */
export function mendStream(
  writer: EventWriter,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const block = eventBlock(writer)
  let pieces: string[] = []
  let endsWithReturn = false

  function takeText(text: string): string {
    // The two halves of one line end may arrive separately.
    const fresh = endsWithReturn && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') endsWithReturn = text.endsWith('\r')
    const lines = fresh.split(/\r\n|\n|\r/)
    const rest = lines.pop() ?? ''
    let out = ''
    if (lines.length > 0) {
      lines[0] = pieces.join('') + lines[0]
      pieces = []
      for (const line of lines) out += block.take(line)
    }
    if (rest !== '') pieces.push(rest)
    return out
  }

  return new TransformStream({
    transform(bytes, controller) {
      const text = takeText(decoder.decode(bytes, { stream: true }))
      if (text !== '') controller.enqueue(encoder.encode(text))
    },
    flush(controller) {
      const last = takeText(decoder.decode()) + (pieces.length > 0 ? block.take(pieces.join('')) : '')
      const text = last + block.flush()
      if (text !== '') controller.enqueue(encoder.encode(text))
    },
  })
}

/** Read lines, one event after the other. */
function eventBlock(writer: EventWriter) {
  let name: string | undefined
  /** Lines that do not form a whole JSON text yet. */
  let held: string[] = []
  let size = 0
  let isBare = false
  let tries = 0
  let isEnded = false

  function take(line: string): string {
    if (isEnded) return ''
    if (line.trim() === '') return isBare && held.length > 0 ? '' : flush()
    const [field, value] = fieldOf(line)
    if (field === 'event') {
      const before = isBare ? flush() : ''
      name = value
      return before
    }
    if (field === 'data') return takeData(value)
    if (field === 'error') return flush() + writeProblem(value)
    return field === 'other' ? takeBare(line) : ''
  }

  function takeData(value: string): string {
    const before = isBare ? flush() : ''
    // Some servers send empty data as a keep-alive.
    if (value.trim() === '' && held.length === 0) return before
    const written = held.length === 0 ? writeData(value) : undefined
    return before + (written ?? hold(value))
  }

  /** Hold a line back. Lines longer than any answer cannot become a JSON text, so they are flushed. */
  function hold(line: string): string {
    held.push(line)
    size += line.length
    return size > MOST_ANSWER ? flush() : ''
  }

  /** Read a line without a field: a JSON text of its own, maybe on several lines. Ignores anything else. */
  function takeBare(line: string): string {
    const isOpen = isBare && held.length > 0
    if (!isOpen && !/^\s*(\{|\[DONE\])/.test(line)) return ''
    const before = isOpen ? '' : flush()
    if (!isOpen) {
      const written = writeData(line.trim())
      if (written !== undefined) return before + written
    }
    isBare = true
    const ended = hold(line)
    if (held.length === 0 || !line.startsWith('}') || tries >= MOST_TRIES) return before + ended
    tries++
    return before + (writeData(held.join('\n')) ?? '')
  }

  /** Write a data text as an event; undefined if it is not a whole JSON text. */
  function writeData(text: string): string | undefined {
    const data = text.trim()
    if (/^"?\[DONE\]"?$/i.test(data)) {
      forget()
      isEnded = true
      return writer.end()
    }
    const value = parsed(data)
    if (!isRecord(value)) return undefined
    const named = name
    forget()
    return writer.event(value, named, data.includes('\n') ? JSON.stringify(value) : data)
  }

  function writeProblem(text: string): string {
    const value = parsed(text.trim())
    return writer.problem(
      value === undefined ? text.trim() : isRecord(value) && value['error'] ? value['error'] : value,
    )
  }

  function flush(): string {
    if (held.length === 0) {
      forget()
      return ''
    }
    const text = held.join('\n')
    const [named, bare] = [name, isBare]
    const written = writeData(text)
    forget()
    if (written !== undefined) return written
    if (named === 'error') return writer.problem(text)
    // The protocol says to ignore a line that is not a field of an event.
    if (bare) return ''
    return `${named === undefined ? '' : `event: ${named}\n`}data: ${text.replaceAll('\n', '\ndata: ')}\n\n`
  }

  function forget(): void {
    name = undefined
    held = []
    size = 0
    isBare = false
    tries = 0
  }

  return { take, flush }
}

type Field = 'data' | 'event' | 'error' | 'other' | 'none'

const LINE = /^\uFEFF?\s*(data|event|error|id|retry)\s*:\s?(.*)$/s

/** Split a line into its field and value. A proxy may have put a second `data:` in front. */
function fieldOf(line: string): [Field, string] {
  if (/^\uFEFF?:/.test(line)) return ['none', '']
  const match = LINE.exec(line)
  if (!match) return ['other', line.replace(/^\uFEFF/, '')]
  const [, field = '', value = ''] = match
  if (field === 'id' || field === 'retry') return ['none', '']
  if (field !== 'data') return [field as Field, value.trim()]
  const inner = /^(?:data:\s*)+(?=[{[])/.exec(value)
  return ['data', inner ? value.slice(inner[0].length) : value]
}

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
