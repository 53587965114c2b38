import type { Session } from '../../shared/contract/session.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import type { ConfigHandle } from '../config/load.ts'
import { isFailure, type EngineFailure } from '../models/engine.ts'
import type { ChatContext } from '../runs/chat-context.ts'
import type { Runs } from '../runs/runs.ts'
import type { Store } from '../db/types.ts'
import { resolveAsked } from '../app/workspace.ts'

type Sessions = {
  store: Store
  runs: Runs
  defaultModelId(): string
  config: ConfigHandle
  workspace: string
  contextOfChat(session: Session): Promise<ChatContext | EngineFailure>
  /** Drop what the local engine keeps of a chat. */
  forgetContext(sessionId: string): Promise<void>
  report(error: unknown): void
  publishSession(id: string): void
  /** A new chat is about to be begun. */
  beforeNewChat(): void
}

/** Chats: list, open, change, remove and restore. */
export function sessionHandlers(parts: Sessions) {
  const { store, runs, config, workspace, contextOfChat, report, publishSession, beforeNewChat } = parts
  const found = (session: Session | undefined): Session => {
    if (!session) throw new Fault('not_found', 'This chat does not exist any more.')
    return runs.live(session)
  }
  const changed = (session: Session | undefined): Session => {
    const live = found(session)
    publishSession(live.id)
    return live
  }

  return {
    'session.list'(options) {
      const { sessions, more } = store.sessions.list(options)
      return { sessions: sessions.map(runs.live), more }
    },
    async 'session.create'(input) {
      beforeNewChat()
      return changed(
        store.sessions.create({
          modelId: input.modelId ?? parts.defaultModelId(),
          workspace: input.workspace === undefined ? workspace : await resolveAsked(input.workspace),
          approval: input.approval ?? config.current.approvals.default,
          source: input.source,
        }),
      )
    },
    'session.get': ({ id }) => found(store.sessions.get(id)),
    async 'session.update'({ id, ...change }) {
      const moved = change.workspace === undefined ? {} : { workspace: await resolveAsked(change.workspace) }
      const session = store.sessions.update(id, { ...change, ...moved })
      // A draft changes with every keystroke, so other windows get no event for it.
      return Object.keys(change).every(key => key.startsWith('draft')) ? found(session) : changed(session)
    },
    'session.remove'({ id }) {
      const session = found(store.sessions.get(id))
      if (session.activeRunId !== null) runs.stop(session.activeRunId)
      store.sessions.remove(id)
      parts.forgetContext(id).catch(report)
      publishSession(id)
      return {}
    },
    async 'session.context'({ id }) {
      const context = await contextOfChat(found(store.sessions.get(id)))
      if (isFailure(context)) throw new Fault('not_ready', `${context.text} ${context.fix}`.trim())
      return context
    },
    'session.refreshPrompt'({ id }) {
      found(store.sessions.get(id))
      store.sessions.forgetPrompt(id)
      return {}
    },
    'session.compactions': ({ id }) => ({
      compactions: store.compactions.list(found(store.sessions.get(id)).id),
    }),
    'session.restore': ({ id }) => changed(store.sessions.restore(id)),
    'session.messages'({ id, before, limit }) {
      found(store.sessions.get(id))
      const page = store.messages.page(id, { limit, ...(before !== undefined && { before }) })
      return { ...page, messages: page.messages.map(withoutRaw) }
    },
  } satisfies Partial<HostHandlers>
}

/** The raw text of a model is for the engine only. */
function withoutRaw<M extends { role: string; raw?: string | undefined }>(message: M): M {
  if (message.raw === undefined) return message
  const { raw: _raw, ...shown } = message
  return shown as M
}
