import type { Attachment } from '../../shared/contract/chats/attachments.ts'
import type { AttemptState, BatchApproval } from '../../shared/contract/runs/batch.ts'
import type { Message } from '../../shared/contract/chats/messages.ts'
import type { EndReason } from '../../shared/contract/runs/run.ts'
import { createBudget } from '../agent/budget.ts'
import type { Store } from '../db/store.ts'
import { trajectoriesOf, type TrajectorySources } from '../learning/trajectories/write-trajectories.ts'
import type { Runs } from '../runs/runs.ts'
import { answerForNobody, modeFor } from './answer-for-nobody.ts'
import type { ResultLine } from './result-line.ts'
import type { ServerGate } from './server-gate.ts'

/** The agent that attempts run in. Its chats exist only in memory and are removed with their attempt. */
export type AttemptBench = {
  store: Pick<Store, 'sessions' | 'messages' | 'runs'>
  registry: TrajectorySources['registry']
  runs: Pick<Runs, 'send' | 'stopIn'>
  gate: ServerGate
  /** End processes that a chat left running, and remove its temporary files. */
  leave(chat: { sessionId: string; modelId: string }): Promise<void>
  /** Remove a chat with all its data. */
  erase(sessionId: string): void
}

export type AttemptTask = {
  prompt: string
  modelId: string
  /** The folder of the attempt. */
  folder: string
  /** The toolsets of the attempt; undefined for those of new chats. */
  toolsets: readonly string[] | undefined
  approve: BatchApproval
  tools: boolean
  /** A picture to send with the prompt. */
  picture: Attachment | undefined
  /** Called with the tokens used once the turn has ended without being stopped, before its result is read. */
  answered(tokens: number): void
  /** Awaited before each request. Resolves once the attempt may work. */
  seated(): Promise<void>
}

/** The outcome of a turn. `cut`: something outside ended it, so it says nothing about the row. */
export type AttemptEnd =
  | { cut: true }
  | {
      cut?: never
      state: AttemptState
      note: string
      tokens: number
      tools: ResultLine['tools']
      /** The chat as training data; undefined if the model wrote nothing. */
      trajectory: Record<string, unknown> | undefined
    }

/** Stands for every toolset of new chats that a batch does not have. */
const ALL_OTHERS = '*'

/** Answer one row with one turn in a new chat, and return the resulting chat. The chat is removed. */
export async function runAttempt(
  bench: AttemptBench,
  task: AttemptTask,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const { store, runs, gate } = bench
  const { toolsets, approve } = task
  const session = store.sessions.create({
    modelId: task.modelId,
    workspace: task.folder,
    approval: task.tools ? modeFor(approve) : 'chat_only',
    origin: 'batch',
    ...(toolsets && {
      toolsets: { [ALL_OTHERS]: false, ...Object.fromEntries(toolsets.map(name => [name, true])) },
    }),
  })
  const { id } = session
  const budget = createBudget({}, 'this attempt')
  const failure = { text: '' }
  const stop = () => void runs.stopIn(id)
  try {
    const { promise: ended, resolve } = Promise.withResolvers<EndReason>()
    gate.hold(id, task.seated)
    runs.send(id, task.prompt, {
      ...(task.picture && { attachments: [task.picture] }),
      ended: resolve,
      start: {
        origin: 'batch',
        mode: () => (task.tools ? modeFor(approve) : 'chat_only'),
        budget,
        ask: async approval => answerForNobody(approve, approval),
        onEvent(event) {
          if (event.type === 'error') failure.text = `${event.text} ${event.fix}`.trim()
        },
      },
    })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    const reason = await ended
    // `stopIn` waits until the run has stored its end.
    await runs.stopIn(id)
    if (signal.aborted || reason === 'stopped' || gate.wasBroken(id)) return { cut: true }
    task.answered(budget.used.tokens)
    const messages = store.messages.history(id, {})
    return {
      state: stateOf(reason, messages),
      note: reason === 'done' ? '' : failure.text,
      tokens: budget.used.tokens,
      tools: toolsUsed(offered(bench, id), messages),
      trajectory: await trajectoryOf(bench, id, task.folder),
    }
  } finally {
    signal.removeEventListener('abort', stop)
    gate.letGo(id)
    await bench.leave({ sessionId: id, modelId: task.modelId })
    bench.erase(id)
  }
}

function stateOf(reason: EndReason, messages: readonly Message[]): AttemptState {
  if (reason === 'budget_exhausted') return 'steps_used'
  if (reason === 'tool_calls_invalid') return 'calls_unreadable'
  if (reason !== 'done') return 'failed'
  const last = messages.at(-1)
  const isAnswer = last?.role === 'assistant' && !last.void && last.text.trim() !== ''
  return isAnswer ? 'done' : 'no_answer'
}

const offered = ({ store }: AttemptBench, id: string): string[] =>
  store.sessions.frozenPrompts(id).flatMap(({ toolNames }) => toolNames)

/** The given tools with the number of calls and errors. A model may also call other tools. */
function toolsUsed(names: readonly string[], messages: readonly Message[]): ResultLine['tools'] {
  const counts = Object.fromEntries(names.toSorted().map(name => [name, { calls: 0, errors: 0 }]))
  for (const message of messages) {
    if (message.role !== 'tool' || !Object.hasOwn(counts, message.name)) continue
    const count = counts[message.name]!
    count.calls++
    if (!message.ok) count.errors++
  }
  return counts
}

/** The folder of an attempt in training data. Its real path reveals this computer and differs each time. */
const ANY_FOLDER = '/workspace'

async function trajectoryOf(
  { store, registry }: AttemptBench,
  sessionId: string,
  folder: string,
): Promise<Record<string, unknown> | undefined> {
  // In a line, each backslash of a path is doubled, and doubled again within JSON.
  const escaped = JSON.stringify(folder).slice(1, -1)
  const again = JSON.stringify(escaped).slice(1, -1)
  for await (const { line } of trajectoriesOf({ store, registry }, { outcome: 'all', sessionId }))
    return JSON.parse(line.replaceAll(again, ANY_FOLDER).replaceAll(escaped, ANY_FOLDER)) as Record<
      string,
      unknown
    >
  return undefined
}

/** Number of removed chats after which the records of their removal are deleted. */
const FINISH_AFTER = 50

/** Create a function that removes chats from memory. No words of theirs are indexed. */
export function createEraser(store: Pick<Store, 'sessions' | 'purge'>): AttemptBench['erase'] {
  let erased: string[] = []
  return id => {
    store.sessions.remove(id)
    store.purge.begin([id], { asked: true })
    while (!store.purge.erase(id)) continue
    erased.push(id)
    if (erased.length < FINISH_AFTER) return
    store.purge.finish(erased)
    erased = []
  }
}
