import { sayRecord } from '../../../shared/words/call-words.ts'
import { styleText } from 'node:util'
import { sayAdvice, sayAdvising, BY_TALARIA, sayOffer, sayRead } from '../../../shared/words/answer-words.ts'
import type { AnswerOffer } from '../../../shared/contract/chats/messages.ts'
import type { RunEvent } from '../../../shared/contract/runs/run.ts'
import { REFUSED_BECAUSE, type Compaction } from '../../../shared/contract/chats/session.ts'
import { tellObeyedChange } from '../../../shared/words/obeyed-words.ts'
import { readPlan, writePlan } from '../../../shared/plan-steps.ts'
import { sayCite } from '../../../shared/markdown/web-citations.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'
import { createMarkdownStyler, hasColours } from './markdown-styler.ts'
import { escapeInvisible, stripControls } from './terminal-text.ts'

/** Prints the events of a run as they arrive. */
export type Printer = {
  print(event: RunEvent): void
  /** Whether calls are printed for the user, with the whole command. */
  showsCalls: boolean
  /** The run has ended. */
  end(): void
}

/** Prints every event as one line of JSON. */
export const jsonPrinter = (out: NodeJS.WritableStream): Printer => ({
  print: event => void out.write(`${jsonLine(event)}\n`),
  showsCalls: false,
  end: () => {},
})

/** A line that shows the current activity. It is erased before anything else is printed. */
export type Activity = {
  show(text: string): void
  hide(): void
  /** Erase the line, until it is drawn again. */
  erase(): void
}

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const FRAME_MS = 200

/** Show the current step on the terminal's last line, but only while `isFree` says that no text is being typed. */
export function createActivity(screen: NodeJS.WriteStream, isFree: () => boolean): Activity {
  let timer: NodeJS.Timeout | undefined
  let said = ''
  let since = 0
  let isShown = false

  function erase() {
    if (isShown) screen.write('\r\u001b[K')
    isShown = false
  }
  function draw() {
    if (!isFree()) return erase()
    const seconds = Math.floor((performance.now() - since) / 1000)
    const frame = FRAMES[Math.floor(performance.now() / FRAME_MS) % FRAMES.length]
    const line = `${frame} ${said}${seconds > 0 ? ` ${seconds} s` : ''}`
    // A line that wraps could not be erased. Wide characters take two columns, so half of it is always safe.
    const room = Math.max(1, (screen.columns || 80) - 1)
    // oxlint-disable-next-line no-control-regex -- what is not ASCII may be wide
    const isNarrow = /^[\u0000-\u00ff\u2800-\u28ff…“”’]*$/.test(line)
    screen.write(
      `\r\u001b[K${styleText('dim', line.slice(0, isNarrow ? room : room >> 1), { stream: screen })}`,
    )
    isShown = true
  }

  return {
    show(text) {
      timer ??= setInterval(draw, FRAME_MS).unref()
      if (text === said) return
      since = performance.now()
      said = text
      draw()
    },
    hide() {
      clearInterval(timer)
      timer = undefined
      said = ''
      erase()
    },
    erase,
  }
}

/** The hint if a model gives no answer. */
const OTHER_WAYS =
  '  /new starts a new chat, and /model ID continues with another model. Outside a chat, use --model ID.'

const RETRIES = {
  empty: 'it said nothing',
  looping: 'it repeated itself',
  same: 'it gave an earlier answer again',
  echo: 'it repeated its instructions',
  unreadable: 'it wrote characters that are not text',
  unfounded: 'that does not say what was found',
}

/** The hint that a number chooses what is offered. */
export const TYPE_NUMBER = '  Type a number to choose.'

/** The choices that an answer offers, with their numbers. */
export const offerText = (offer: AnswerOffer): string =>
  [sayOffer(offer), ...offer.choices.map(({ label }, at) => `  ${at + 1}  ${escapeInvisible(label)}`)].join(
    '\n',
  )

const noActivity: Activity = { show: () => {}, hide: () => {}, erase: () => {} }

/** The activity after an event, in a few words; empty while the answer or a question is on the screen; undefined for no change. */
function activityAfter(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'turn_start':
    case 'reasoning_delta':
    case 'approval_resolved':
    case 'compacted':
    case 'retry':
      return 'Thinking'
    case 'progress': {
      const share = event.total > 0 ? ` ${Math.floor((100 * event.done) / event.total)} %` : ''
      return `${event.phase === 'loading' ? 'Loading the model' : 'Reading'}${share}`
    }
    case 'tool_call':
      return escapeInvisible(event.title).replaceAll(/\s+/g, ' ')
    case 'message':
      return event.message.role === 'assistant' ? undefined : 'Thinking'
    case 'advising':
      return sayAdvising(event)
    case 'compacting':
      return 'Summarising earlier messages'
    case 'flushing':
      return 'Looking for things to remember'
    case 'text_delta':
    case 'tool_output':
    case 'approval_request':
    case 'error':
    case 'turn_end':
      return ''
    default:
      return undefined
  }
}

const WAITING_MS = 30_000

/**
 * Create the lines about a server that is loading its model: the first immediately, then one from time to
 * time, as loading may never end.
 */
function createWaitingLines() {
  let since: number | undefined
  let last = 0
  return ({ phase, total, at }: RunEvent & { type: 'progress' }): string | undefined => {
    // For a model on this computer the progress is known, and loading ends.
    if (phase !== 'loading' || total > 0) {
      since = undefined
      return undefined
    }
    if (since !== undefined && at - last < WAITING_MS) return undefined
    last = at
    if (since !== undefined)
      return `— the server is still loading its model, ${Math.round((at - since) / 1000)} s…`
    since = at
    return '— the server is loading its model; waiting for it (Ctrl-C stops)…'
  }
}

/** The details of an event that only `--verbose` prints. */
function detailOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'turn_start':
      return `turn started with ${event.model}`
    case 'context_usage': {
      const { promptTokens, reusedTokens, outputTokens, contextTokens, firstTokenMs, tokensPerSecond } =
        event.usage
      const read = `${promptTokens} of ${contextTokens} tokens in the window, ${reusedTokens} of them reused`
      return `${read}; ${outputTokens} written, the first after ${Math.round(firstTokenMs)} ms, ${Math.round(tokensPerSecond)} a second`
    }
    case 'tool_call':
      return `${event.call.name} ${jsonLine(event.call.arguments)}`
    case 'approval_resolved':
      return `answered${event.from === undefined ? '' : ` by ${event.from}`}: ${event.decision}${event.note === '' ? '' : ` (${event.note})`}`
    case 'context_full':
      return `${event.neededTokens} tokens needed, ${event.contextTokens} available; left out: ${event.leftOut}`
    case 'turn_end':
      return `turn ended: ${event.reason}`
    default:
      return undefined
  }
}

type Ways = { activity?: Activity | undefined; verbose?: boolean | undefined }

/** Prints the answer on `out`, and tools, warnings and errors on `aside`, so that the answer can be piped. */
export function textPrinter(
  out: NodeJS.WritableStream,
  aside: NodeJS.WritableStream,
  { activity = noActivity, verbose = false }: Ways = {},
): Printer {
  const styler = hasColours(out)
    ? createMarkdownStyler(() => ('columns' in out && typeof out.columns === 'number' ? out.columns : 80))
    : undefined
  let begun = 0
  // Both may be the same screen, so an open line on one is ended before writing to the other.
  let open: NodeJS.WritableStream | undefined
  const sayWaiting = createWaitingLines()
  const dim = (text: string) => styleText('dim', text, { stream: aside })

  function endLine() {
    const rest = styler?.finish() ?? ''
    if (rest !== '') {
      out.write(rest)
      open = rest.endsWith('\n') ? undefined : out
    }
    open?.write('\n')
    open = undefined
  }
  function pour(stream: NodeJS.WritableStream, text: string, look = (raw: string) => raw) {
    if (text === '') return
    activity.hide()
    if (open !== stream) endLine()
    stream.write(look(text))
    open = text.endsWith('\n') ? undefined : stream
  }
  function printAside(text: string, look?: (raw: string) => string) {
    endLine()
    pour(aside, `${stripControls(text)}\n`, look)
  }

  /** Print the offer of an answer, and the hint about numbers: see `pickOffered`. */
  function printOffer(offer: AnswerOffer) {
    printAside(offerText(offer))
    // If nothing can be typed, a number would do nothing.
    if (offer.choices.length > 0 && activity !== noActivity) printAside(TYPE_NUMBER, dim)
  }

  function print(event: RunEvent) {
    // Erase the activity line before a question is asked.
    if (event.type === 'approval_request') activity.hide()
    show(event)
    const detail = verbose ? detailOf(event) : undefined
    if (event.type === 'turn_start') begun = event.at
    if (detail !== undefined) printAside(`[${((event.at - begun) / 1000).toFixed(2)} s] ${detail}`, dim)
    if (verbose && event.type === 'reasoning_delta') pour(aside, stripControls(event.text), dim)
    const doing = activityAfter(event)
    if (doing === '') activity.hide()
    // Show the activity only if the last line is empty.
    else if (doing !== undefined && open === undefined) activity.show(doing)
  }

  function show(event: RunEvent) {
    switch (event.type) {
      case 'text_delta': {
        const text = stripControls(event.text)
        pour(out, text, styler && (raw => styler.add(raw)))
        break
      }
      case 'tool_call': {
        printAside(`• ${escapeInvisible(event.title)}`, dim)
        const { command, plan } = event.call.arguments
        if (event.call.name === 'todo' && typeof plan === 'string')
          printAside(escapeInvisible(writePlan(readPlan(plan))).replace(/^/gm, '  '), dim)
        if (typeof command === 'string') printAside(escapeInvisible(command).replace(/^/gm, '  $ '), dim)
        break
      }
      case 'progress': {
        // If the activity line shows this, no lasting line is needed.
        const waiting = activity === noActivity ? sayWaiting(event) : undefined
        if (waiting !== undefined) printAside(waiting, dim)
        break
      }
      case 'tool_output':
        pour(aside, stripControls(event.text), dim)
        break
      case 'message':
        if (event.message.role === 'tool') {
          const { ok, text, durationMs, record } = event.message
          if (ok) printAside(`  ${(durationMs / 1000).toFixed(1)} s · ${sayRecord(record)}`, dim)
          else printAside(`  ${text}`)
          for (const change of event.message.obeyed ?? [])
            printAside(`  ! ${escapeInvisible(tellObeyedChange(change))}`)
        } else if (event.message.role === 'user') printAside(`→ ${event.message.text}`, dim)
        else {
          endLine()
          if (event.message.byTalaria) printAside(`  ${BY_TALARIA}`, dim)
          for (const cite of event.message.cites ?? []) printAside(escapeInvisible(sayCite(cite)), dim)
          if (event.message.advice) printAside(escapeInvisible(sayAdvice(event.message.advice)), dim)
          if (event.message.offer) printOffer(event.message.offer)
        }
        break
      case 'advising':
        // The activity line shows which models have answered.
        if (!event.answered?.length && !event.failed?.length)
          printAside(`— asking ${escapeInvisible(event.models.join(', '))} for advice…`, dim)
        break
      case 'was_thought':
        printAside('— that was a thought; the answer:', dim)
        break
      case 'retry':
        // Printed text cannot be removed, so a line declares it void.
        printAside(
          `— ${RETRIES[event.reason]}; ${event.instead ? 'Talaria says it instead' : 'trying again'}:`,
          dim,
        )
        break
      case 'approval_resolved':
        if (event.from !== undefined)
          printAside(
            `  ${event.decision === 'deny' ? 'denied' : 'allowed'} by ${escapeInvisible(event.from)}`,
            dim,
          )
        if (event.read) printAside(`  ${escapeInvisible(sayRead(event.read))}.`, dim)
        break
      case 'agent':
        printAside(`  ${escapeInvisible(event.name)} ${escapeInvisible(event.line)}`, dim)
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
      case 'picture_described':
        printAside(`  picture: ${escapeInvisible(event.description)}`, dim)
        break
      case 'skills':
        for (const { id, name, op } of event.revisions)
          printAside(`  skill ${escapeInvisible(name)}: ${op} (undo: talaria skills undo ${id})`, dim)
        break
      case 'unsaved_claim':
        printAside(
          event.isForgetting
            ? `The answer says “${escapeInvisible(event.quote)}”, but nothing was forgotten. Look with: talaria memory list, and remove it with: talaria memory remove`
            : `The answer says “${escapeInvisible(event.quote)}”, but nothing was saved. Save it with: talaria memory add`,
        )
        break
      case 'flushing':
        printAside(
          '— looking for things to remember before older messages are summarised (Ctrl-C skips)…',
          dim,
        )
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
        if (event.offersOthers) printAside(OTHER_WAYS, dim)
        break
      case 'error':
        printAside(`${event.text} ${event.fix}`.trim())
        break
      case 'turn_end':
        if (event.reason === 'stopped') printAside('Stopped.')
        break
      // Only the window compares two models.
      case 'compare_start':
      case 'compare_delta':
      case 'compare_answer':
      case 'compare_end':
      case 'turn_start':
      case 'reasoning_delta':
      case 'approval_request':
      case 'context_usage':
      case 'context_full':
    }
  }
  return {
    print,
    showsCalls: true,
    end() {
      activity.hide()
      endLine()
    },
  }
}

/** The effect of a compaction as text. */
function inWords({ by, refused, tokensBefore, tokensAfter }: Compaction): string {
  const figures = `${tokensBefore.toLocaleString('en-US')} → ${tokensAfter.toLocaleString('en-US')} tokens`
  if (by === 'pruning') return `old calls and their results were shortened for the model: ${figures}`
  const how = by === 'local' ? ', without a model' : ''
  const why =
    refused === undefined ? '' : ` (${REFUSED_BECAUSE[refused]}, so Talaria built one by fixed rules.)`
  return `earlier messages were summarised for the model${how}: ${figures}${why}`
}
