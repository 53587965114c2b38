import { styleText } from 'node:util'
import type { HostClient } from '../../shared/contract/index.ts'
import type { Approval, RunEvent } from '../../shared/contract/run.ts'
import { Fault } from '../../shared/rpc.ts'
import { SIGNALS, type Terminal } from './terminal.ts'
import type { Compaction } from '../../shared/contract/session.ts'
import { stripControls, escapeInvisible } from './terminal-text.ts'
import { jsonLine } from '../../shared/visible-text/show-hidden.ts'

/** Where to show a turn; `unread` is aborted when the reader of our output is gone, as with `head`. */
export type Screen = { printer: Printer; terminal: Terminal; unread: AbortSignal }

/**
 * Send a message and follow the turn: show it, ask for approvals, stop it on Ctrl-C. Resolves to whether it
 * succeeded.
 */
export async function sendAndFollow(
  client: HostClient,
  sessionId: string,
  text: string,
  screen: Screen,
): Promise<boolean> {
  const { runId } = await client['chat.send']({ sessionId, text })
  return followRun(client, runId, screen)
}

/** Compact a chat and follow the run. Resolves to whether it succeeded. */
export async function compactAndFollow(
  client: HostClient,
  sessionId: string,
  focus: string,
  screen: Screen,
): Promise<boolean> {
  const { runId } = await client['chat.compact']({ sessionId, focus })
  return followRun(client, runId, screen)
}

async function followRun(
  client: HostClient,
  runId: string,
  { printer, terminal, unread }: Screen,
): Promise<boolean> {
  const over = new AbortController()
  const open = new Map<string, AbortController>()

  let isFlushing = false
  const stop = () => void client['run.stop']({ runId }).catch(ignoreEnded)
  const stopOrSkip = () => {
    if (isFlushing) return void client['run.skip']({ runId }).catch(ignoreEnded)
    // Only once, so that a second Ctrl-C ends the process at once.
    process.off('SIGINT', stopOrSkip)
    stop()
  }
  const ask = async (approval: Approval) => {
    const answered = new AbortController()
    open.set(approval.id, answered)
    const given = await terminal.askApproval(approval, AbortSignal.any([over.signal, answered.signal]))
    if (given) await client['run.approve']({ runId, approvalId: approval.id, ...given }).catch(ignoreEnded)
  }

  // What is typed while the model works is given to it before its next step, or is the next message.
  using _ = terminal.offerLines(async text => {
    try {
      for await (const { taken } of client['run.steer']({ runId, text })) {
        if (taken) return true
        terminal.say('The model gets this before its next step, or as the next message.\n')
      }
    } catch (error) {
      ignoreEnded(error)
    }
    return false
  })
  for (const signal of SIGNALS) {
    if (signal === 'SIGINT') process.on(signal, stopOrSkip)
    else process.once(signal, stop)
  }
  unread.addEventListener('abort', stop)
  let went = false
  try {
    for await (const event of client['run.watch']({ runId, after: 0 })) {
      printer.print(event)
      if (event.type === 'flushing' || event.type === 'flushed') isFlushing = event.type === 'flushing'
      // Not awaited, so that a stop is noticed while the question is open.
      if (event.type === 'approval_request') void ask(event.approval)
      // The approval may have been answered in the window first.
      if (event.type === 'approval_resolved') open.get(event.approvalId)?.abort()
      if (event.type === 'turn_end') went = event.reason === 'done'
    }
  } finally {
    printer.end()
    over.abort()
    for (const signal of SIGNALS) process.off(signal, stop)
    process.off('SIGINT', stopOrSkip)
    unread.removeEventListener('abort', stop)
  }
  return went
}

/** A run that has ended ignores stops and answers, and the event stream reports a lost host. */
export function ignoreEnded(error: unknown): void {
  if (!(error instanceof Fault)) throw error
}

/** Prints the events of a run as they arrive. */
type Printer = {
  print(event: RunEvent): void
  /** The run has ended. */
  end(): void
}

/** Prints every event as one line of JSON. */
export const jsonPrinter = (out: NodeJS.WritableStream): Printer => ({
  print: event => void out.write(`${jsonLine(event)}\n`),
  end: () => {},
})

/** Prints the answer on `out`, and tools, warnings and errors on `aside`, so that the answer can be piped. */
export function textPrinter(out: NodeJS.WritableStream, aside: NodeJS.WritableStream): Printer {
  // Both may be the same screen, so an open line on one is ended before writing to the other.
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
  function printAside(text: string, look?: (raw: string) => string) {
    endLine()
    pour(aside, `${stripControls(text)}\n`, look)
  }

  function print(event: RunEvent) {
    switch (event.type) {
      case 'text_delta':
        pour(out, stripControls(event.text))
        break
      case 'tool_call': {
        printAside(`• ${escapeInvisible(event.title)}`, dim)
        const { command } = event.call.arguments
        if (typeof command === 'string') printAside(escapeInvisible(command).replace(/^/gm, '  $ '), dim)
        break
      }
      case 'tool_output':
        pour(aside, stripControls(event.text), dim)
        break
      case 'message':
        if (event.message.role === 'tool') {
          const { ok, text, durationMs, allowed } = event.message
          if (ok) printAside(`  ${(durationMs / 1000).toFixed(1)} s · ${allowed}`, dim)
          else printAside(`  ${text}`)
        } else if (event.message.role === 'user') printAside(`→ ${event.message.text}`, dim)
        else endLine()
        break
      case 'retry':
        // Printed text cannot be removed, so a line declares it void.
        printAside(
          event.reason === 'looping'
            ? '— it repeated itself; trying again:'
            : '— it said nothing; trying again:',
          dim,
        )
        break
      case 'memory':
        for (const { id, before, after } of event.revisions)
          printAside(
            `  memory: ${escapeInvisible(after ?? `removed ${before ?? ''}`)} (undo: talaria memory undo ${id})`,
            dim,
          )
        break
      case 'skill_used':
        printAside(`  skill: ${escapeInvisible(event.name)}`, dim)
        break
      case 'skills':
        for (const { id, name, op } of event.revisions)
          printAside(`  skill ${escapeInvisible(name)}: ${op} (undo: talaria skills undo ${id})`, dim)
        break
      case 'unsaved_claim':
        printAside(
          `The answer says “${escapeInvisible(event.quote)}”, but nothing was saved. Save it with: talaria memory add`,
        )
        break
      case 'flushing':
        printAside('— looking for what to remember before older messages are summarised (Ctrl-C skips)…', dim)
        break
      case 'flushed':
        if (event.text !== '') printAside(`— ${event.text}`, dim)
        break
      case 'compacting':
        printAside('— summarising earlier messages…', dim)
        break
      case 'compacted':
        printAside(`— ${inWords(event.compaction)}`, dim)
        break
      case 'warning':
        printAside(event.text)
        break
      case 'error':
        printAside(`${event.text} ${event.fix}`.trim())
        break
      case 'turn_end':
        if (event.reason === 'stopped') printAside('Stopped.')
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

/** The effect of a compaction as text. */
function inWords({ by, tokensBefore, tokensAfter }: Compaction): string {
  const figures = `${tokensBefore.toLocaleString('en-US')} → ${tokensAfter.toLocaleString('en-US')} tokens`
  if (by === 'pruning') return `old tool results were shortened for the model: ${figures}`
  const how = by === 'local' ? ', without a model' : ''
  return `earlier messages were summarised for the model${how}: ${figures}`
}
