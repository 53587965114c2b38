import { stripVTControlCharacters, styleText } from 'node:util'
import type { RunEvent } from '../../shared/contract/run.ts'

/** Shows the events of a run while they come. */
export type Printer = { print(event: RunEvent): void }

/** Every event as one line of JSON. */
export const jsonPrinter = (out: NodeJS.WritableStream): Printer => ({
  print: event => void out.write(`${JSON.stringify(event)}\n`),
})

/** The answer on `out`; tools, warnings and errors on `aside`, so that the answer can be piped. */
export function textPrinter(out: NodeJS.WritableStream, aside: NodeJS.WritableStream): Printer {
  let midLine = false
  const dim = (text: string) => styleText('dim', text, { stream: aside })
  const tell = (text: string) => {
    if (midLine) out.write('\n')
    midLine = false
    aside.write(`${text}\n`)
  }

  function print(event: RunEvent) {
    switch (event.type) {
      case 'text_delta':
        out.write(plain(event.text))
        midLine = !event.text.endsWith('\n')
        break
      case 'tool_call':
        tell(dim(`• ${plain(event.title)}`))
        break
      case 'tool_output':
        aside.write(dim(plain(event.text)))
        break
      case 'message':
        if (event.message.role === 'tool') {
          const { ok, text, durationMs, allowed } = event.message
          tell(ok ? dim(`  ${(durationMs / 1000).toFixed(1)} s · ${allowed}`) : `  ${plain(text)}`)
        }
        break
      case 'warning':
        tell(event.text)
        break
      case 'error':
        tell(`${event.text} ${event.fix}`.trim())
        break
      case 'turn_end':
        if (midLine) out.write('\n')
        midLine = false
        if (event.reason === 'stopped') tell('Stopped.')
        break
      case 'turn_start':
      case 'progress':
      case 'reasoning_delta':
      case 'approval_request':
      case 'approval_resolved':
      case 'context_usage':
    }
  }
  return { print }
}

/** Nothing that a model or a command printed may steer the terminal. */
const plain = (text: string) =>
  stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
