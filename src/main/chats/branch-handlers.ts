import type { Move } from '../../shared/contract/chats/branches.ts'
import type { Message } from '../../shared/contract/chats/messages.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import type { ApprovalMode, Session } from '../../shared/contract/chats/session.ts'
import { Fault } from '../../shared/rpc.ts'
import type { PlacedMessage } from '../db/chats/branch-tables.ts'
import type { Store } from '../db/store.ts'
import type { AnswerOptions } from '../runs/run-types.ts'
import type { Runs } from '../runs/runs.ts'
import type { DocumentsFor } from '../attachments/sent-documents.ts'
import type { PendingChatChanges } from './pending-chat-changes.ts'
import { commandsIn, memoryOf, skillsOf, type FilesOfChats } from './left-behind.ts'

type Parts = {
  store: Pick<Store, 'attachments' | 'branches' | 'learning' | 'memory' | 'messages' | 'sessions' | 'skills'>
  files: FilesOfChats
  runs: Pick<Runs, 'answerTo' | 'compare' | 'stopLane' | 'live' | 'pathMoved' | 'readyFor' | 'stopIn'>
  /** The mode of new chats. */
  approval(this: void): ApprovalMode
  /** Throws a Fault for a folder that no chat may work in. */
  refuseFolder(this: void, folder: string): void
  pathMoved(this: void, sessionId: string): void
  now(this: void): number
  changes: PendingChatChanges
  documentsFor: DocumentsFor
}

/** Edit messages, answer again, and go from branch to branch. */
export function branchHandlers({
  store,
  files,
  runs,
  approval,
  refuseFolder,
  pathMoved,
  now,
  changes,
  documentsFor,
}: Parts) {
  const { branches } = store

  /** The chat, in which nothing runs and no change is being made. */
  async function quiet(sessionId: string, stopRun: boolean): Promise<Session> {
    if (store.sessions.get(sessionId)?.origin === 'sub_agent')
      throw new Fault('bad_input', 'The messages of a sub-agent cannot be changed: they show what it did.')
    if (stopRun) await runs.stopIn(sessionId)
    await changes.ended(sessionId)
    return runs.readyFor(sessionId)
  }
  const shown = (id: string): Session => {
    const session = store.sessions.get(id)
    if (!session) throw new Fault('not_found', 'This chat does not exist any more.')
    return runs.live(session)
  }
  function placed(sessionId: string, messageId: number): PlacedMessage {
    const found = branches.get(sessionId, messageId)
    if (!found) throw new Fault('not_found', 'This message is not in this chat.')
    return found
  }
  function questionOf(sessionId: string, messageId: number): PlacedMessage {
    const found = branches.questionOf(sessionId, messageId)
    if (!found) throw new Fault('bad_input', 'There is no message of yours before this one.')
    return found
  }
  const newestId = (sessionId: string) => store.messages.page(sessionId, { limit: 1 }).messages[0]?.id ?? null
  function moved(sessionId: string) {
    pathMoved(sessionId)
  }

  /** The message at which the path would end; null: before the first one. */
  function endAfter(sessionId: string, move: Move): number | null {
    if (move.how === 'switch') {
      const { isOnPath } = placed(sessionId, move.messageId)
      return isOnPath ? newestId(sessionId) : branches.endThrough(sessionId, move.messageId)
    }
    if (move.how === 'edit') return placed(sessionId, move.messageId).parentId
    const from = move.how === 'retry' ? placed(sessionId, move.messageId).message.id : newestOf(sessionId)
    const { message, parentId } = questionOf(sessionId, from)
    return move.how === 'retry' ? message.id : parentId
  }
  /** The answer that was cut off at the end of a chat, with the message before it and the question of its turn. */
  function cutIn(sessionId: string) {
    const { message, parentId = null } = branches.get(shown(sessionId).id, newestId(sessionId) ?? 0) ?? {}
    if (message?.role !== 'assistant' || !(message.interrupted || message.cut) || parentId === null)
      throw new Fault('bad_input', 'The last answer of this chat was not cut off.')
    return { ...message, parentId, question: questionOf(sessionId, message.id).message }
  }
  /** Let the path end at a message and a model write behind it. What was there stays as a branch. */
  function answerBehind(
    session: Session,
    endId: number,
    { message, ...options }: { message: Message } & Pick<AnswerOptions, 'modelId' | 'begun'>,
  ): { runId: string } {
    const before = newestId(session.id)
    branches.endAt(session.id, endId)
    pathMoved(session.id)
    return runs.answerTo(session, message, {
      ...options,
      // A model that is gone wrote nothing: the chat goes back to the answer that it had.
      ended() {
        if (newestId(session.id) !== endId || before === null) return
        branches.endAt(session.id, before)
        pathMoved(session.id)
      },
    })
  }
  function newestOf(sessionId: string): number {
    const newest = newestId(sessionId)
    if (newest === null) throw new Fault('not_found', 'There is nothing to undo in this chat.')
    return newest
  }

  return {
    async 'branch.leaving'({ sessionId, move, stopRun }) {
      await quiet(sessionId, stopRun)
      const { left, entered } = branches.wouldMove(sessionId, endAfter(sessionId, move))
      const off = new Set(left.map(({ id }) => id))
      const on = new Set(entered)
      return {
        files: await files.list(sessionId, {
          isOnPath: ({ messageId, isOnPath }) => on.has(messageId) || (isOnPath && !off.has(messageId)),
          matters: ({ messageId }) => on.has(messageId) || off.has(messageId),
        }),
        commands: commandsIn(left),
        memory: memoryOf(store, sessionId, left),
        skills: skillsOf(store, sessionId, left),
      }
    },
    'files.changed': async ({ sessionId, calls }) => ({
      files: calls
        ? await files.listOf(shown(sessionId).id, new Set(calls))
        : await files.list(shown(sessionId).id, { isOnPath: ({ isOnPath }) => isOnPath }),
    }),
    async 'files.restore'({ sessionId, files: steps, obeyed }) {
      await quiet(sessionId, false)
      return files.restore(sessionId, steps, obeyed)
    },
    async 'compare.start'({ sessionId, text, modelIds, draft, attachments = [] }) {
      if (modelIds[0] === modelIds[1])
        throw new Fault('bad_input', 'These are the same model. Choose two different ones.')
      await changes.ended(sessionId)
      if (attachments.length === 0) return runs.compare(sessionId, text, modelIds, { draft })
      const session = runs.readyFor(sessionId)
      const sent = await documentsFor(session, attachments, { message: text, hasTools: false, modelIds })
      return runs.compare(sessionId, text, modelIds, { ...sent, draft })
    },
    'compare.stop'({ runId, lane }) {
      runs.stopLane(runId, lane)
      return {}
    },
    'compare.open'({ sessionId }) {
      const answers = branches.compared(shown(sessionId).id).map(({ raw: _raw, ...answer }) => answer)
      const [newest] = store.messages.page(sessionId, { limit: 1 }).messages
      return { question: answers.length > 0 && newest?.role === 'user' ? newest : null, answers }
    },
    'branch.list': ({ sessionId, limit }) => ({ branches: branches.list(shown(sessionId).id, limit) }),
    async 'branch.edit'({ sessionId, messageId, text, stopRun, draft }) {
      const { message } = placed(sessionId, messageId)
      if (message.role === 'tool') throw new Fault('bad_input', 'The result of a tool cannot be edited.')
      const session = await quiet(sessionId, stopRun)
      if (message.role === 'assistant') {
        if (message.text === text) return { runId: null }
        const {
          id: _id,
          raw: _raw,
          usage: _usage,
          cut: _cut,
          compared: _compared,
          void: _void,
          offer: _offer,
          byTalaria: _byTalaria,
          ...kept
        } = message
        const answer = { ...kept, text, reasoning: '', calls: [], interrupted: false, at: now() }
        branches.putBeside(messageId, { ...answer, edited: true }, draft)
        moved(sessionId)
        return { runId: null }
      }
      refuseFolder(session.workspace)
      const { id: _id, steered: _steered, picked: _picked, ...kept } = message
      const asked = branches.putBeside(messageId, { ...kept, text, at: now() }, draft)
      pathMoved(sessionId)
      return runs.answerTo(session, asked)
    },
    async 'branch.retry'({ sessionId, messageId, modelId, stopRun }) {
      placed(sessionId, messageId)
      const session = await quiet(sessionId, stopRun)
      refuseFolder(session.workspace)
      const { message } = questionOf(sessionId, messageId)
      return answerBehind(session, message.id, { message, modelId })
    },
    async 'branch.continue'({ sessionId }) {
      const { text, reasoning, marks, parentId, question, void: isVoid } = cutIn(sessionId)
      const session = await quiet(sessionId, false)
      refuseFolder(session.workspace)
      // Of thoughts alone nothing can go on, and a circle would only go on, so the model answers again.
      const begun = text.trim() === '' || isVoid ? undefined : { text, reasoning, marks }
      return answerBehind(session, parentId, { message: question, begun })
    },
    async 'branch.switch'({ sessionId, messageId, stopRun }) {
      placed(sessionId, messageId)
      await quiet(sessionId, stopRun)
      if (branches.goTo(sessionId, messageId)) moved(sessionId)
      return shown(sessionId)
    },
    async 'branch.undo'({ sessionId, stopRun }) {
      await quiet(sessionId, stopRun)
      const { message, parentId } = questionOf(sessionId, newestOf(sessionId))
      branches.endAt(sessionId, parentId)
      if (message.role === 'user')
        for (const attachment of message.attachments ?? []) store.attachments.add(sessionId, attachment)
      moved(sessionId)
      return { text: message.text, session: shown(sessionId) }
    },
    async 'branch.fork'({ sessionId, messageId }) {
      const { approval: mode } = shown(sessionId)
      placed(sessionId, messageId)
      const id = await branches.copyUpTo(sessionId, messageId)
      await files.share(sessionId, id)
      // What runs unasked was decided for the other chat only.
      if (mode === 'full') store.sessions.update(id, { approval: approval() })
      return shown(id)
    },
  } satisfies Partial<HostHandlers>
}
