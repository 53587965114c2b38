import { type Context, Input } from './reader-input.ts'
import { readMessage } from './read-message.ts'
import { createReaderEvents, type ReaderEvent } from './emit-events.ts'
import { indexTools, type ToolShape } from './known-tools.ts'
import { collectMarks, type MarksOfModel } from './markers.ts'

export type { ReaderEvent } from './emit-events.ts'

/** Reads one message of a model while it is written, and separates text, reasoning and calls. */
export type ToolCallReader = {
  /** Read the next chunk. Returned events are final; text that may still become a call is held back. */
  push(chunk: string): ReaderEvent[]
  /** The message is over. `truncated`: the model ran out of tokens, so nothing incomplete may run. */
  end(options?: { truncated?: boolean }): ReaderEvent[]
}

/**
 * Create a reader for one message. `promptTail` is the end of the prompt, because templates may leave a
 * construct open: `<think>`, `>>>`, `<|start|>assistant`. `marks`: those learnt from a template.
 */
export function createToolCallReader(options: {
  tools: readonly ToolShape[]
  promptTail?: string | undefined
  marks?: MarksOfModel | undefined
}): ToolCallReader {
  const input = new Input()
  if (options.marks) input.own = collectMarks(options.marks)
  const context: Context = { input, tools: indexTools(options.tools), truncated: false, wasted: 0 }
  const start = openedBy(options.promptTail ?? '')
  const out = createReaderEvents(context, start.length)
  const reading = readMessage(context, out)
  input.push(start)
  let hasEnded = false

  const readOn = () => {
    reading.next()
    return out.take()
  }
  return {
    push(chunk) {
      if (hasEnded || chunk === '') return []
      input.push(chunk)
      return readOn()
    },
    end({ truncated = false } = {}) {
      if (hasEnded) return []
      hasEnded = true
      context.truncated = truncated
      input.end()
      return readOn()
    },
  }
}

/** Constructs that a prompt may leave open. They are read as if the model had written them. */
const STARTS = [
  '<think>',
  '<thinking>',
  '<seed:think>',
  '<mm:think>',
  '[THINK]',
  '<|START_THINKING|>',
  '<|inner_prefix|>',
  '<|open|>think<|sep|>',
  '<|channel>thought',
  '<|channel|>analysis<|message|>',
  '<|channel|>final<|message|>',
  '<|start|>assistant',
  '<|begin|>assistant',
  '<think:opensource>',
  '<|recipient|>',
  '<tool_call>',
  '<|tool_call>',
  '[TOOL_CALLS]',
  '<|tool_call_start|>',
  '<|python_tag|>',
  '>>>',
]

/** The construct that the end of a prompt leaves open, as if the model had written it; empty if none. */
export function openedBy(promptTail: string): string {
  const tail = promptTail.trimEnd()
  if (tail.endsWith('Here are my reasoning steps:')) return '<think>'
  const start = STARTS.find(each => tail.endsWith(each)) ?? ''
  return start === '<|channel>thought' ? `${start}\n` : start
}
