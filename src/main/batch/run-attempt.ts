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

/** What attempts run in: the agent of the product, over chats that are in memory alone and go with their attempt. */
export type AttemptBench = {
  store: Pick<Store, 'sessions' | 'messages' | 'runs'>
  registry: TrajectorySources['registry']
  runs: Pick<Runs, 'send' | 'stopIn'>
  gate: ServerGate
  /** End what a chat left running, and remove its temporary files. */
  leave(chat: { sessionId: string; modelId: string }): Promise<void>
  /** Remove a chat with all that belongs to it. */
  erase(sessionId: string): void
}

export type AttemptTask = {
  prompt: string
  modelId: string
  /** Its own folder. */
  folder: string
  /** The toolsets that it has, `undefined` for those of new chats. */
  toolsets: readonly string[] | undefined
  approve: BatchApproval
  tools: boolean
  /** Sent along with the prompt. */
  picture: Attachment | undefined
  /** Called with the tokens used when the turn has ended by itself, before its result is read. */
  answered(tokens: number): void
  /** Awaited before each request; resolves when the attempt may work. */
  seated(): Promise<void>
}

/** What came of a turn. `cut`: something outside it ended it, so it says nothing of the row. */
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

/** Every toolset of new chats that a batch does not have. */
const ALL_OTHERS = '*'

/** Answer one row: a new chat, one turn in it, and what stands there afterwards. Nothing of the chat stays. */
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
    // It waits until the run has stored its end.
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

/** All tools that it was given, each with its calls; a model may also call what it was not given. */
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

/** How the folder of an attempt is called in training data: its real path tells of this computer, and differs each time. */
const ANY_FOLDER = '/workspace'

async function trajectoryOf(
  { store, registry }: AttemptBench,
  sessionId: string,
  folder: string,
): Promise<Record<string, unknown> | undefined> {
  // In the text of a line each backslash of a path is written twice, and within JSON in it four times.
  const escaped = JSON.stringify(folder).slice(1, -1)
  const again = JSON.stringify(escaped).slice(1, -1)
  for await (const { line } of trajectoriesOf({ store, registry }, { outcome: 'all', sessionId }))
    return JSON.parse(line.replaceAll(again, ANY_FOLDER).replaceAll(escaped, ANY_FOLDER)) as Record<
      string,
      unknown
    >
  return undefined
}

/** Chats after which the notes on their removal are dropped. */
const FINISH_AFTER = 50

/** A function that removes chats from memory, where no words of them are indexed. */
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
