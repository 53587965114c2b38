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
  type StepCall,
  type StepResult,
} from './session-steps.ts'
import { createTree } from './session-tree.ts'

type Said = { kind: 'said' | 'stopped'; at: number; text: string }
type Answered = { kind: 'reply'; at: number; messageId: string; text: string; calls: StepCall[] }

/** Messages of the user that Claude Code itself writes. */
const OF_THE_PROGRAM =
  /^<(?:command-(?:name|message|args)|local-command-[\w-]+|bash-(?:input|stdout|stderr)|task-notification|user-memory-input)>|^Caveat: The messages below/
const STOPPED = /^\[Request interrupted by user/

/**
 * Read a transcript of Claude Code, `~/.claude/projects/<folder>/<session>.jsonl`: texts, calls and results
 * from `user` and `assistant` lines on the path to the newest one. Skipped: lines of sub-agents
 * (`isSidechain`), texts by the program itself, and every other type. The format is internal to Claude Code;
 * facts as of 2.1.330.
 */
export function createClaudeCodeParser(): SessionParser {
  const tree = createTree<Said | Answered>()
  const results = new Map<string, StepResult>()
  let folder = ''
  let model = ''
  let last = 0

  function read(line: Fields): Said | Answered | undefined {
    const message = fieldsOf(line.message)
    if (!message || line.isMeta === true || line.isCompactSummary === true) return undefined
    last = instantOf(line.timestamp, last)
    if (line.type === 'assistant') return readReply(message)
    if (folder === '') folder = textOf(line.cwd).slice(0, 4_096)
    for (const part of partsOf(message.content)) {
      if (part.type !== 'tool_result') continue
      const text = cutResult(textsIn(part.content))
      keepResult(results, textOf(part.tool_use_id), { at: last, ok: part.is_error !== true, text })
    }
    const text = ownWords(textsIn(message.content))
    if (text === '' || OF_THE_PROGRAM.test(text)) return undefined
    return STOPPED.test(text)
      ? { kind: 'stopped', at: last, text: '' }
      : { kind: 'said', at: last, text: cutMessage(text) }
  }

  function readReply(message: Fields): Answered | undefined {
    const named = textOf(message.model)
    // A notice by the program itself, such as “API error”, has the model `<synthetic>`.
    if (named.startsWith('<')) return undefined
    if (named !== '') model = named.slice(0, 200)
    const calls = partsOf(message.content)
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({ id: textOf(id), name: textOf(name), arguments: cutArguments(input) }))
    const text = cutMessage(textsIn(message.content))
    return { kind: 'reply', at: last, messageId: textOf(message.id), text, calls }
  }

  return {
    take(line) {
      if (line === undefined) return
      const isWanted = line.includes('"user"') || line.includes('"assistant"')
      const value = parseLine(line)
      if (!value || value.isSidechain === true) return
      const isMessage = isWanted && (value.type === 'user' || value.type === 'assistant')
      const holds = isMessage ? read(value) : undefined
      const id = textOf(value.uuid)
      if (id === '') return
      // Messages before a compaction precede it in the tree.
      const parent = value.parentUuid ?? value.logicalParentUuid
      tree.add({ id, parent: textOf(parent) || null, holds, size: holds ? sizeOfStep(holds) : 0 })
    },
    end: () => ({ folder, model, results, steps: stepsOn(tree.path()) }),
  }
}

/** Join the lines of each reply: one line is written for each of its parts. */
function stepsOn(path: readonly { id: string; holds: Said | Answered }[]): SessionStep[] {
  const steps: SessionStep[] = []
  let open: { messageId: string; step: Extract<SessionStep, { kind: 'reply' }> } | undefined
  for (const { id, holds } of path) {
    const { kind, at, text } = holds
    if (kind !== 'reply') {
      open = undefined
      steps.push(kind === 'said' ? { kind, id, at, text } : { kind, id, at, reason: 'stopped' })
    } else if (open && holds.messageId !== '' && open.messageId === holds.messageId) {
      open.step.text = [open.step.text, text].filter(each => each !== '').join('\n')
      open.step.calls.push(...holds.calls)
    } else {
      const step = { kind, id, at, text, calls: [...holds.calls] }
      open = { messageId: holds.messageId, step }
      steps.push(step)
    }
  }
  return steps
}
