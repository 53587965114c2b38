import { fieldsOf, type Fields, instantOf, parseLine, partsOf, textOf, textsIn } from './session-fields.ts'
import {
  cutArguments,
  cutMessage,
  cutResult,
  keepResult,
  ownWords,
  sizeOfStep,
  type SessionParser,
  type SessionStep,
  type StepResult,
} from './session-steps.ts'
import { createTree } from './session-tree.ts'

type Held = SessionStep | { kind: 'result' }
/** The reasons for the end of a reply that is not an answer. */
const ENDS: Readonly<Record<string, 'stopped' | 'failed'>> = { aborted: 'stopped', error: 'failed' }

/**
 * Read a session file of Pi, `~/.pi/agent/sessions/--<folder>--/<time>_<id>.jsonl`, versions 2 and 3: a
 * header, then messages that name their parents. The path to the newest one counts. Skipped: texts of
 * extensions (`custom`), the prompt, and commands that the user ran without the model.
 */
export function createPiParser(): SessionParser {
  const tree = createTree<Held>()
  const results = new Map<string, StepResult>()
  const ends = new Map<string, 'stopped' | 'failed'>()
  let header: Fields | undefined
  let model = ''
  let last = 0

  function read(id: string, message: Fields): Held | undefined {
    last = instantOf(message.timestamp, last)
    const { content } = message
    switch (message.role) {
      case 'user': {
        const text = ownWords(textsIn(content))
        return text === '' ? undefined : { kind: 'said', id, at: last, text: cutMessage(text) }
      }
      case 'assistant': {
        model = textOf(message.model).slice(0, 200) || model
        const end = ENDS[textOf(message.stopReason)]
        if (end) ends.set(id, end)
        const calls = partsOf(content)
          .filter(({ type }) => type === 'toolCall')
          .map(call => ({
            id: textOf(call.id),
            name: `${call.namespace === undefined ? '' : `${textOf(call.namespace)}__`}${textOf(call.name)}`,
            arguments: cutArguments(call.arguments),
          }))
        return { kind: 'reply', id, at: last, text: cutMessage(textsIn(content)), calls }
      }
      case 'toolResult': {
        const text = cutResult(textsIn(content))
        keepResult(results, textOf(message.toolCallId), { at: last, ok: message.isError !== true, text })
        return { kind: 'result' }
      }
      default:
        return undefined
    }
  }

  return {
    take(line) {
      const value = line === undefined ? undefined : parseLine(line)
      if (!value) return
      if (value.type === 'session') header ??= value
      const id = textOf(value.id)
      if (value.type === 'session' || id === '') return
      last = instantOf(value.timestamp, last)
      const message = value.type === 'message' && value.checkpoint !== true && fieldsOf(value.message)
      const holds = message ? read(id, message) : undefined
      const size = holds && 'text' in holds ? sizeOfStep(holds) : 0
      tree.add({ id, parent: textOf(value.parentId) || null, holds, size })
    },
    end() {
      if (!header) return { refused: 'it has no header' }
      const { version } = header
      if (version !== 2 && version !== 3) return { refused: 'it has a version that is not known here' }
      const steps = tree.path().flatMap(({ holds }): SessionStep[] => {
        if (holds.kind === 'result') return []
        const reason = ends.get(holds.id)
        return reason ? [holds, { kind: 'stopped', id: holds.id, at: holds.at, reason }] : [holds]
      })
      return { folder: textOf(header.cwd).slice(0, 4_096), model, steps, results }
    },
  }
}
