import { optionNamed } from '../../shared/contract/chats/chat-options.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import type { AttachedSkill } from '../../shared/contract/chats/messages.ts'
import { CHOSEN_AT_START, resolveOption } from '../../shared/resolve-option.ts'
import { Fault } from '../../shared/rpc.ts'
import { checkInstructions, type Projects } from '../projects/open-projects.ts'
import type { Runs } from '../runs/runs.ts'
import type { Library } from '../skills/skill-types.ts'
import type { DocumentsFor } from '../attachments/sent-documents.ts'
import type { SkillAttacher, SkillPlace } from './attach-skill.ts'
import type { GivenOptions } from '../db/chats/session-options.ts'
import type { Store } from '../db/store.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import type { ConfigHandle } from '../config/load.ts'
import type { PendingChatChanges } from './pending-chat-changes.ts'
import { readTemplates } from './read-templates.ts'
import type { ChatSearch } from './search/open-search.ts'
import { isFailure, type EngineFailure } from '../models/interface/engine.ts'
import type { ChatContext } from '../runs/prompt/chat-context.ts'
import { findPersonality, readPersonalities } from '../runs/prompt/personalities.ts'
import { refuseOwnFolder, resolveAsked } from '../files/workspace.ts'
import { runInSlices } from '../lib/timing.ts'

type Parts = {
  runs: Runs
  library: Library
  store: Pick<Store, 'messages' | 'sessions'>
  skills: SkillAttacher
  /** Return the place of a chat without messages, in a folder or the default one. */
  newChatIn(this: void, folder: string | undefined): Promise<SkillPlace>
  changes: PendingChatChanges
  documentsFor: DocumentsFor
}

/** Send messages to the agent; watch, stop and answer its runs. */
export function chatHandlers({ runs, library, store, skills, newChatIn, changes, documentsFor }: Parts) {
  async function attached(id: string, session: Session): Promise<AttachedSkill> {
    await library.scanFirst(id)
    const skill = skills.attach(id, session)
    if ('refused' in skill) throw new Fault('bad_input', skill.refused)
    return skill
  }

  /** `/name and more` attaches the skill of that name. Any other text after a slash is plain text. */
  async function named(text: string, session: Session): Promise<{ text: string; skill?: AttachedSkill }> {
    const [, name, rest] = /^\/([\p{L}\d._-]{1,64})(?:\s+([\s\S]*))?$/u.exec(text) ?? []
    if (name === undefined) return { text }
    const known = library.forChat(session.workspace).find(each => each.skill.name === name)
    if (!known) return { text }
    return { text: rest?.trim() || `Use the skill ${name}.`, skill: await attached(known.skill.id, session) }
  }

  return {
    async 'chat.send'({ sessionId, text, skill, draft, attachments = [] }) {
      await changes.ended(sessionId)
      const session = runs.readyFor(sessionId)
      const message =
        skill === undefined ? await named(text, session) : { text, skill: await attached(skill, session) }
      const beside = { skill: message.skill, draft }
      if (attachments.length === 0) return runs.send(sessionId, message.text, beside)
      const sent = await documentsFor(session, attachments, { message: message.text, hasTools: true })
      return runs.send(sessionId, message.text, { ...beside, ...sent })
    },
    async 'chat.pick'({ sessionId, messageId, choice }) {
      await changes.ended(sessionId)
      runs.readyFor(sessionId)
      const [newest] = store.messages.page(sessionId, { limit: 1 }).messages
      const picked = newest?.role === 'assistant' && newest.id === messageId && newest.offer?.choices[choice]
      if (!picked)
        throw new Fault(
          'bad_input',
          'The chat has continued since, so the buttons below this answer no longer work.',
        )
      const { label, ...call } = picked
      return runs.send(sessionId, label, { picked: call })
    },
    async 'skills.forChat'({ sessionId, folder }) {
      const session = sessionId === undefined ? undefined : store.sessions.get(sessionId)
      if (sessionId !== undefined && !session) throw new Fault('not_found', 'This chat no longer exists.')
      const place = session ?? (await newChatIn(folder))
      await library.caughtUp()
      const all = library.forChat(place.workspace).map(each => each.skill)
      return { skills: all.map(skill => ({ ...skill, unavailable: skills.whyOff(skill, place) })) }
    },
    async 'chat.compact'({ sessionId, focus }) {
      await changes.ended(sessionId)
      return runs.compact(sessionId, focus)
    },
    'run.watch': ({ runId, after }, signal) => runs.watch(runId, after, signal),
    async *'run.steer'({ runId, text }, signal) {
      // A text that may name a skill or a command starts a new turn instead.
      if (!text.startsWith('/')) yield* runs.steer(runId, text, signal)
    },
    'run.skip'({ runId }) {
      runs.skip(runId)
      return {}
    },
    'run.stop'({ runId }) {
      runs.stop(runId)
      return {}
    },
    'run.approve'({ runId, approvalId, decision, note, access, read }) {
      runs.answer(runId, approvalId, { decision, note, access, ...(read && { read }) })
      return {}
    },
  } satisfies Partial<HostHandlers>
}

type Sessions = {
  /** Talaria's home folder. */
  home: string
  store: Store
  runs: Runs
  projects: Projects
  models: { defaultId(): string; idNow(id: string): string }
  config: ConfigHandle
  workspace: string
  /** Lists chats with some words, and finds a text in one. */
  list: ChatSearch['list']
  inChat: ChatSearch['inChat']
  contextOfChat(session: Session): Promise<ChatContext | EngineFailure>
  /** Drop the local engine's cached context of a chat. */
  forgetContext(sessionId: string): Promise<void>
  report(error: unknown): void
  /** Called when a chat is opened or typed in. */
  chatOpened(session: Session): void
  /** Called after a deleted chat was restored. */
  restored(): void
  /** Called before a new chat starts. */
  beforeNewChat(): void
  changes: PendingChatChanges
}

/** Chats: list, open, change, remove and restore them. */
export function sessionHandlers(parts: Sessions) {
  const { store, runs, projects, config, workspace, contextOfChat, report, beforeNewChat, changes } = parts
  const folderOf = async (given: string): Promise<string> => {
    const folder = await resolveAsked(given)
    refuseOwnFolder(parts.home, folder)
    return folder
  }
  const styleOf = async (asked: string) => {
    const found = await findPersonality(parts.home, asked)
    if ('refused' in found) throw new Fault('bad_input', found.refused)
    return found.name
  }
  /** Check the options whose values must satisfy more than their schemas. */
  async function checkedOptions({ personality, instructions, options }: GivenOptions) {
    return {
      ...(personality && { personality: await styleOf(personality) }),
      ...(instructions !== undefined && { instructions: checkInstructions(instructions, false) }),
      ...(options && { options: projects.options.check(options, 'chat') }),
    }
  }
  /** Return what a chat adopts from the project it moves to; without messages it becomes a new chat of it. */
  async function adoptedBy({ messageCount, projectId }: Session, to: string) {
    const project = projects.get(to)
    if (messageCount > 0 || projectId === to) return {}
    return {
      modelId: project.modelId ?? undefined,
      approval: project.approval ?? undefined,
      workspace: await projects.folderOf(project),
    }
  }
  const found = (session: Session | undefined): Session => {
    if (!session) throw new Fault('not_found', 'This chat no longer exists.')
    return runs.live(session)
  }

  const stopTurn = (id: string) => {
    const runId = store.sessions.get(id)?.activeRunId
    if (runId) runs.stop(runId)
  }

  async function update(id: string, change: Omit<Parameters<HostHandlers['session.update']>[0], 'id'>) {
    const moved = change.workspace === undefined ? {} : { workspace: await folderOf(change.workspace) }
    const checked = await checkedOptions(change)
    const before = found(store.sessions.get(id))
    if (before.temporary && (change.pinned || change.archived || change.projectId != null))
      throw new Fault('bad_input', change.projectId == null ? KEEP_FIRST : NO_PROJECT)
    const adopted = change.projectId == null ? {} : await adoptedBy(before, change.projectId)
    const wish = { ...adopted, ...change, ...moved, ...checked }
    const { modelId } = wish
    const model = modelId === undefined ? {} : { modelId: parts.models.idNow(modelId) }
    const session = store.sessions.update(id, { ...wish, ...model })
    if (change.approval !== undefined) runs.endLentModes(id)
    if (change.draft && session) parts.chatOpened(session)
    return found(session)
  }

  return {
    async 'session.list'(options, signal) {
      const { sessions, more } =
        options.query.trim() === ''
          ? store.sessions.list({ ...options, withTemporary: true })
          : await parts.list(signal, options)
      return { sessions: sessions.map(runs.live), more }
    },
    'session.titles': ({ limit }) => ({ chats: store.sessions.titles(limit) }),
    async 'session.create'({ projectId, modelId, workspace: asked, origin, temporary, ...given }) {
      if (temporary && projectId != null) throw new Fault('bad_input', NO_PROJECT)
      beforeNewChat()
      const folder = asked === undefined ? undefined : await folderOf(asked)
      const checked = await checkedOptions(given)
      const project =
        projectId == null
          ? projectId === undefined && folder !== undefined && !temporary
            ? projects.inFolder(folder)
            : undefined
          : projects.get(projectId)
      const model = { chat: modelId, project: project?.modelId, settings: parts.models.defaultId() }
      const ofProject = folder === undefined && project ? await projects.folderOf(project) : undefined
      return found(
        store.sessions.create({
          ...given,
          ...checked,
          modelId: parts.models.idNow(resolveOption(CHOSEN_AT_START, model)),
          workspace: resolveOption(CHOSEN_AT_START, {
            chat: folder,
            project: ofProject,
            settings: workspace,
          }),
          approval: resolveOption(optionNamed('approval'), {
            chat: given.approval,
            project: project?.approval,
            settings: config.current.approvals.default,
          }),
          origin,
          projectId: project?.id,
          temporary,
        }),
      )
    },
    'session.get'({ id }) {
      const session = found(store.sessions.get(id))
      parts.chatOpened(session)
      return session
    },
    'template.list': () => readTemplates(parts.home),
    'session.personalities': async () => ({ personalities: await readPersonalities(parts.home) }),
    'session.update': ({ id, ...change }) => changes.during(id, update(id, change)),
    'session.lendMode': ({ id, approval }, signal) => runs.lendMode(id, approval, signal),
    'session.changeAll'({ ids, change }) {
      const isRemoval = 'removed' in change && change.removed
      // Sub-agents are removed and restored with their chats.
      const all = 'removed' in change ? ids.flatMap(id => [id, ...store.sessions.agentsOf(id)]) : ids
      if (isRemoval) all.forEach(stopTurn)
      const changed = store.sessions.changeAll(all, change)
      if (isRemoval) for (const id of changed) parts.forgetContext(id).catch(report)
      else if ('removed' in change) parts.restored()
      return { ids: changed }
    },
    'session.remove'({ id }) {
      found(store.sessions.get(id))
      const agents = store.sessions.agentsOf(id)
      for (const each of [id, ...agents]) stopTurn(each)
      store.sessions.remove(id)
      for (const agent of agents) parts.forgetContext(agent).catch(report)
      parts.forgetContext(id).catch(report)
      return {}
    },
    async 'session.context'({ id }) {
      await changes.ended(id)
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
    'session.keep'({ id }) {
      const session = found(store.sessions.keep(id))
      // Its next prompt gets everything that ordinary chats have: memory, and all tools.
      store.sessions.forgetPrompt(id)
      return session
    },
    'session.restore'({ id }) {
      const session = found(store.sessions.restore(id))
      parts.restored()
      return session
    },
    async 'chat.find'({ sessionId, query, tools }, signal) {
      return parts.inChat(signal, found(store.sessions.get(sessionId)).id, query, tools)
    },
    async 'chat.turns'({ sessionId, limit }) {
      const { id } = found(store.sessions.get(sessionId))
      return { turns: await runInSlices(store.turns.turnSteps(id, limit)) }
    },
    'chat.seen'({ sessionId, messageId }) {
      store.turns.see(sessionId, messageId, Date.now())
      return {}
    },
    'chat.recap'({ sessionId }) {
      const recap = store.turns.recap(sessionId)
      if (!recap) throw new Fault('not_found', 'This chat no longer exists.')
      return recap
    },
    'session.messages'({ id, before, limit }) {
      found(store.sessions.get(id))
      const page = store.messages.page(id, { limit, ...(before !== undefined && { before }) })
      return { ...page, messages: page.messages.map(withoutRaw) }
    },
  } satisfies Partial<HostHandlers>
}

const KEEP_FIRST = 'This chat is temporary. Keep it first.'
const NO_PROJECT = 'A temporary chat cannot belong to a project. Keep it first.'

/** Remove a model's raw text, which only the engine needs, and the text of attachments, which may be long. */
function withoutRaw<M extends { role: string; raw?: string | undefined; documents?: string | undefined }>(
  message: M,
): M {
  if (message.raw === undefined && message.documents === undefined) return message
  const { raw: _raw, documents: _documents, ...shown } = message
  return shown as M
}
