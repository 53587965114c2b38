import { styleText } from 'node:util'
import type { RunEvent } from '../../shared/contract/run.ts'
import type { Compaction } from '../../shared/contract/session.ts'
import { plain, visible } from './plain.ts'

/** Shows the events of a run while they come. */
export type Printer = {
  print(event: RunEvent): void
  /** Nothing more comes of this run, however it ended. */
  end(): void
}

/** Every event as one line of JSON. */
export const jsonPrinter = (out: NodeJS.WritableStream): Printer => ({
  print: event => void out.write(`${JSON.stringify(event)}\n`),
  end: () => {},
})

/** The answer on `out`; tools, warnings and errors on `aside`, so that the answer can be piped. */
export function textPrinter(out: NodeJS.WritableStream, aside: NodeJS.WritableStream): Printer {
  // Both may be the same screen, so a line that one of them began is ended before the other writes.
  let open: NodeJS.WritableStream | undefined
  const dim = (text: string) => styleText('dim', text, { stream: aside })

  function endLine() {
    open?.write('\n')
    open = undefined
  }
  function pour(stream: NodeJS.WritableStream, text: string, look = (raw: string) => raw) {
    if (text === '') return
    if (open !== stream) endLine()
    stream.write(look(text))
    open = text.endsWith('\n') ? undefined : stream
  }
  function tell(text: string, look?: (raw: string) => string) {
    endLine()
    pour(aside, `${plain(text)}\n`, look)
  }

  function print(event: RunEvent) {
    switch (event.type) {
      case 'text_delta':
        pour(out, plain(event.text))
        break
      case 'tool_call': {
        tell(`• ${visible(event.title)}`, dim)
        const { command } = event.call.arguments
        if (typeof command === 'string') tell(visible(command).replace(/^/gm, '  $ '), dim)
        break
      }
      case 'tool_output':
        pour(aside, plain(event.text), dim)
        break
      case 'message':
        if (event.message.role === 'tool') {
          const { ok, text, durationMs, allowed } = event.message
          if (ok) tell(`  ${(durationMs / 1000).toFixed(1)} s · ${allowed}`, dim)
          else tell(`  ${text}`)
        } else endLine()
        break
      case 'retry':
        // What was printed cannot be taken back, so a line says that it does not count.
        tell(
          event.reason === 'looping' ? '— it repeated itself; once more:' : '— it said nothing; once more:',
          dim,
        )
        break
      case 'memory':
        for (const { id, before, after } of event.revisions)
          tell(
            `  memory: ${visible(after ?? `removed ${before ?? ''}`)} (take back: talaria memory undo ${id})`,
            dim,
          )
        break
      case 'skill_used':
        tell(`  skill: ${visible(event.name)}`, dim)
        break
      case 'skills':
        for (const { id, name, op } of event.revisions)
          tell(`  skill ${visible(name)}: ${op} (take back: talaria skills undo ${id})`, dim)
        break
      case 'unsaved_claim':
        tell(
          `The answer says “${visible(event.quote)}”, but nothing was saved. To save it: talaria memory add`,
        )
        break
      case 'compacting':
        tell('— summarising earlier messages…', dim)
        break
      case 'compacted':
        tell(`— ${inWords(event.compaction)}`, dim)
        break
      case 'warning':
        tell(event.text)
        break
      case 'error':
        tell(`${event.text} ${event.fix}`.trim())
        break
      case 'turn_end':
        if (event.reason === 'stopped') tell('Stopped.')
        break
      case 'turn_start':
      case 'progress':
      case 'reasoning_delta':
      case 'approval_request':
      case 'approval_resolved':
      case 'context_usage':
      case 'context_full':
    }
  }
  return { print, end: endLine }
}

/** What became of the older part of a chat. */
function inWords({ by, tokensBefore, tokensAfter }: Compaction): string {
  const figures = `${tokensBefore.toLocaleString('en-US')} → ${tokensAfter.toLocaleString('en-US')} tokens`
  if (by === 'pruning') return `old tool results are shortened for the model: ${figures}`
  const how = by === 'local' ? ', by rules alone' : ''
  return `earlier messages are summarised for the model${how}: ${figures}`
}
