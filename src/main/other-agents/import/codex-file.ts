import { fieldsOf, type Fields, instantOf, parseLine, textOf, textsIn } from './session-fields.ts'
import {
  cutArguments,
  cutMessage,
  cutResult,
  keepResult,
  ownWords,
  sizeOfStep,
  type SessionParser,
  type SessionStep,
  type StepCall,
  type StepResult,
} from './session-steps.ts'

/** Messages with the role `user` that Codex itself writes. */
const OF_THE_PROGRAM = /^(?:<|# AGENTS\.md instructions)/
/** The heading that an editor puts before the question. */
const REQUEST = '## My request for Codex:'
/** Maximum number of characters to keep, from the newest steps. */
const MOST_CHARS = 16_000_000
const COMMAND_FAILED = /^(?:Exit code|exit_code|Process exited with code):? ?(?!0\b)-?\d+/m

/**
 * Read a rollout of Codex, `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`: lines
 * `{timestamp, type, payload}`, of which `session_meta`, `turn_context`, `response_item` and some of
 * `event_msg` are read. Written from its documentation (openai/codex, `codex-rs/rollout`); never tried with
 * the program.
 */
export function createCodexParser(): SessionParser {
  const steps = keepNewest()
  const results = new Map<string, StepResult>()
  /** The same steps with user messages from model items, the only place where older versions wrote them. */
  const older = keepNewest()
  let isSubAgent = false
  let hasOwn = false
  let folder = ''
  let model = ''
  let last = 0
  let number = 0

  const id = () => `line:${number}`
  function said(text: string, into: Kept): void {
    const asked = text.includes(REQUEST) ? text.slice(text.lastIndexOf(REQUEST) + REQUEST.length) : text
    const own = ownWords(asked)
    if (own !== '') into.add({ kind: 'said', id: id(), at: last, text: cutMessage(own) })
  }
  const reply = (text: string, calls: StepCall[]) => {
    const step: SessionStep = { kind: 'reply', id: id(), at: last, text: cutMessage(text), calls }
    steps.add(step)
    older.add(step)
  }

  function readItem(item: Fields): void {
    const callId = textOf(item.call_id) || textOf(item.id)
    switch (item.type) {
      case 'message': {
        const text = textsIn(item.content, ['input_text', 'output_text', 'text'])
        if (item.role === 'assistant' && text !== '') reply(text, [])
        else if (item.role === 'user' && !OF_THE_PROGRAM.test(text.trimStart())) said(text, older)
        return
      }
      case 'function_call': {
        const name = `${textOf(item.namespace)}${textOf(item.name)}`
        return reply('', [
          { id: callId, name, arguments: cutArguments(parseLine(textOf(item.arguments)) ?? {}) },
        ])
      }
      case 'custom_tool_call':
        return reply('', [
          { id: callId, name: textOf(item.name), arguments: cutArguments({ input: item.input }) },
        ])
      case 'local_shell_call':
        return reply('', [{ id: callId, name: 'shell', arguments: cutArguments(item.action) }])
      case 'function_call_output':
      case 'custom_tool_call_output':
        keepResult(results, callId, { at: last, ...readOutput(item.output) })
    }
  }

  function readEvent(event: Fields): void {
    switch (event.type) {
      case 'user_message':
        // Older versions also write instructions this way, with their own kind.
        if (typeof event.kind === 'string' && event.kind !== 'plain') return
        hasOwn = true
        return said(textOf(event.message), steps)
      case 'turn_aborted':
        return steps.add({ kind: 'stopped', id: id(), at: last, reason: 'stopped' })
      case 'thread_rolled_back':
        return steps.rollBack(typeof event.num_turns === 'number' ? event.num_turns : 0)
    }
  }

  return {
    take(line) {
      number++
      const value = line === undefined ? undefined : parseLine(line)
      const payload = fieldsOf(value?.payload)
      if (!value || !payload) return
      last = instantOf(value.timestamp, last)
      if (value.type === 'session_meta') {
        if (fieldsOf(payload.source)) isSubAgent = true
        folder ||= textOf(payload.cwd).slice(0, 4_096)
      } else if (value.type === 'turn_context') {
        folder ||= textOf(payload.cwd).slice(0, 4_096)
        model = textOf(payload.model).slice(0, 200) || model
      } else if (value.type === 'response_item') readItem(payload)
      else if (value.type === 'event_msg') readEvent(payload)
    },
    end: () =>
      isSubAgent
        ? { refused: 'it is the work of a sub-agent' }
        : { folder, model, results, steps: joinReplies((hasOwn ? steps : older).all()) },
  }
}

type Kept = ReturnType<typeof keepNewest>

/** Keep steps in order, dropping the oldest beyond the limit. */
function keepNewest() {
  let steps: SessionStep[] = []
  let chars = 0
  const sizeOf = (step: SessionStep) => 100 + ('text' in step ? sizeOfStep(step) : 0)
  return {
    add(step: SessionStep): void {
      steps.push(step)
      chars += sizeOf(step)
      while (chars > MOST_CHARS) chars -= sizeOf(steps.shift()!)
    },
    /** The user undid their newest messages and everything after them. */
    rollBack(turns: number): void {
      const places = steps.flatMap(({ kind }, place) => (kind === 'said' ? [place] : []))
      const from = places[Math.max(0, places.length - turns)]
      if (turns >= 1 && from !== undefined) steps = steps.slice(0, from)
      chars = steps.reduce((sum, step) => sum + sizeOf(step), 0)
    },
    all: () => steps,
  }
}

/** Join consecutive texts and calls into one reply. */
function joinReplies(steps: readonly SessionStep[]): SessionStep[] {
  const joined: SessionStep[] = []
  for (const step of steps) {
    const before = joined.at(-1)
    if (step.kind === 'reply' && before?.kind === 'reply' && before.calls.length === 0 && step.text === '')
      joined[joined.length - 1] = { ...before, calls: step.calls }
    else joined.push(step)
  }
  return joined
}

/** Read an output: a text, a list of parts, or JSON with the output and the command's exit code. */
function readOutput(output: unknown): { ok: boolean; text: string } {
  const given = fieldsOf(output)
  const text =
    typeof output === 'string'
      ? output
      : given
        ? textOf(given.content)
        : textsIn(output, ['input_text', 'output_text', 'text'])
  const wrapped = parseLine(text)
  const code = fieldsOf(wrapped?.metadata)?.exit_code
  const shown = wrapped !== undefined && typeof wrapped.output === 'string' ? wrapped.output : text
  const hasFailed =
    given?.success === false || (typeof code === 'number' ? code !== 0 : COMMAND_FAILED.test(text))
  return { ok: !hasFailed, text: cutResult(shown) }
}
