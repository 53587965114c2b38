import { tellObeyedFile } from '../../../../shared/words/obeyed-words.ts'
import { optionNamed, unsetOptions } from '../../../../shared/contract/chats/chat-options.ts'
import type { AppEvent } from '../../../../shared/contract/app.ts'
import type { NewRunEvent } from '../../../../shared/contract/runs/run.ts'
import { copiesStep } from '../../../agent/steps/file-steps.ts'
import { capStep } from '../../../agent/steps/result-steps.ts'
import type { Session } from '../../../../shared/contract/chats/session.ts'
import { resolveOption } from '../../../../shared/resolve-option.ts'
import { openChangedFiles } from '../../../changed-files/open-changed-files.ts'
import type { DocumentsFor } from '../../../attachments/sent-documents.ts'
import { openTitles } from '../../../chats/titles/open-titles.ts'
import { askOnce } from '../../../models/ask-once.ts'
import { isFailure } from '../../../models/interface/engine.ts'
import { createSkillAttacher } from '../../../chats/attach-skill.ts'
import { branchHandlers } from '../../../chats/branch-handlers.ts'
import { createPendingChanges } from '../../../chats/pending-chat-changes.ts'
import { chatHandlers, sessionHandlers } from '../../../chats/chat-handlers.ts'
import type { ChatSearch } from '../../../chats/search/open-search.ts'
import { refuseOwnFolder, resolveAsked } from '../../../files/workspace.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import type { Broadcast, Topic } from '../../../lib/topic.ts'
import type { Projects } from '../../../projects/open-projects.ts'
import { deciderFeature } from '../models/decider-feature.ts'
import { guideFeature } from '../models/guide-feature.ts'
import type { turnsFeature } from './turns-feature.ts'
import type { permissionsFeature } from '../tools/permissions-feature.ts'
import type { Encode } from '../../../builtin/guide/second-opinion.ts'
import { readContext } from '../../../runs/prompt/chat-context.ts'
import { createRuns, type RunsOptions } from '../../../runs/runs.ts'
import type { Library } from '../../../skills/skill-types.ts'
import { offeredBy, type Registry } from '../../../tools/registry/registry.ts'

/** What happens in chats; learning subscribes to it. */
export type ChatEvent =
  | { type: 'run'; sessionId: string; event: NewRunEvent }
  | { type: 'new_chat' }
  | { type: 'chat_ended'; sessionId: string }
  | { type: 'path_moved'; sessionId: string }

/** Send each of up to this many changed chats its own event; beyond it, windows reload their list. */
const MOST_TOLD = 50

type Needs = {
  home: string
  workspace: string
  config: ConfigHandle
  store: Store
  models: Required<Pick<RunsOptions, 'engineFor' | 'engineAlone' | 'auxiliaryFor'>> & {
    encode: Encode
    /** The models that the decider uses. */
    deciding: Parameters<typeof deciderFeature>[0]['deciding']
    verdictOf: Parameters<typeof deciderFeature>[0]['verdictOf']
    defaultId(): string
    idNow(id: string): string
    forgetContext(sessionId: string): Promise<void>
  }
  turns: ReturnType<typeof turnsFeature>
  /** Reviews of messages before a summary replaces them. */
  flushes: RunsOptions['flushes']
  memory: Pick<Parameters<typeof guideFeature>[0], 'knownIn'>
  projects: Projects
  permissions: ReturnType<typeof permissionsFeature>
  /** Steps that features add around the calls of chats. */
  steps: RunsOptions['steps']
  skills: Pick<Parameters<typeof guideFeature>[0], 'loadableIn'> & {
    library: Library
    evidence: RunsOptions['evidence']
  }
  registry: Registry
  toolsets: RunsOptions['toolsets']
  attachments: { prepare: DocumentsFor }
  search: { indexSoon(): void; list: ChatSearch['list']; inChat: ChatSearch['inChat'] }
  processes: { endChat(sessionId: string): Promise<void> }
  confinement: { forgetChat(sessionId: string): Promise<unknown> }
  events: Broadcast<AppEvent>
  chatEvents: Topic<ChatEvent>
  feed: Feed
  reports: NonNullable<RunsOptions['reports']>
  now(): number
  report(error: unknown): void
}

/** Chats and the agent that answers in them. */
export function chatsFeature(needs: Needs) {
  const {
    home,
    workspace,
    config,
    store,
    models,
    memory,
    projects,
    permissions,
    skills,
    registry,
    events,
    chatEvents,
    feed,
    now,
    report,
  } = needs
  const { sources, cap, running } = needs.turns
  const onlySkillsIn = (place: Pick<Session, 'projectId'>) => projects.of(place)?.skills ?? null
  const usualMode = () =>
    resolveOption(optionNamed('approval'), { settings: config.current.approvals.default })
  const { guideFor, sceneFor } = guideFeature({
    sources,
    knownIn: memory.knownIn,
    loadableIn: skills.loadableIn,
    messages: store.messages,
    encode: models.encode,
    report,
  })
  const decider = deciderFeature({
    sceneFor,
    store,
    deciding: models.deciding,
    verdictOf: models.verdictOf,
    now,
    report,
  })
  const files = openChangedFiles({ home, store: store.fileChanges, now })
  const runs = createRuns({
    ...sources,
    running,
    guideFor,
    steps: [...needs.steps, ...decider.steps, () => copiesStep(files.keep), () => capStep(cap)],
    rules: permissions.standing,
    compaction: () => config.current.compaction,
    flushes: needs.flushes,
    reports: needs.reports,
    waitMs: () => config.current.approvals.wait_minutes * 60_000,
    refuseFolder: folder => refuseOwnFolder(home, folder),
    onSessionChange: id => tellSession(id),
    evidence: skills.evidence,
    onRunEvent: (sessionId, event) => chatEvents.publish({ type: 'run', sessionId, event }),
    report,
  })
  const titles = openTitles({
    sessions: store.sessions,
    messages: store.messages,
    titledBy: () => config.current.chats.titles_by,
    async ask(modelId, question, signal) {
      const engine = await models.engineAlone(modelId)
      if (isFailure(engine)) return { refused: engine.text }
      const profile = await engine.profile()
      if (isFailure(profile) || profile.guided) return undefined
      return askOnce(engine, question, signal, models.forgetContext)
    },
    isBusy: runs.isBusy,
    idleMs: () => config.current.learning.idle_seconds * 1_000,
    now,
    report,
  })
  chatEvents.subscribe(event => {
    if (event.type !== 'run') return
    const { type } = event.event
    if (type === 'turn_start' || type === 'turn_end') titles.observe(event.sessionId, type)
  })
  /** End the turn of a chat and its background processes, which still use its temporary folder. */
  const endChat = async (id: string) => {
    await runs.stopIn(id)
    await needs.processes.endChat(id)
  }
  const leaveChat = async (id: string) => {
    await needs.processes.endChat(id)
    await needs.confinement.forgetChat(id)
  }
  function tellSession(id: string, isTold = true): void {
    const session = store.sessions.get(id)
    // Only for a deleted chat: a purge removes the temporary folder itself, and two removals would collide.
    if (!session && store.sessions.isDeleted(id)) leaveChat(id).catch(report)
    if (isTold)
      events.publish(
        session ? { type: 'session', session: runs.live(session) } : { type: 'session_removed', id },
      )
    // Windows count a schedule's unpinned chats, and may have fetched the count before this was stored.
    if (session?.origin === 'schedule') feed.tell('schedule')
    if (!session) feed.tell('deleted')
  }
  feed.onSessions(ids => {
    needs.search.indexSoon()
    const areFew = ids.size <= MOST_TOLD
    for (const id of ids) tellSession(id, areFew)
    if (!areFew) feed.tell('session')
  })

  const changes = createPendingChanges()
  const attacher = createSkillAttacher({
    library: skills.library,
    // Only switches count here, not the model's context window, because the chat's model may change.
    offered: place =>
      place.approval === 'chat_only'
        ? []
        : offeredBy(registry, needs.toolsets?.namesFor(place, Infinity) ?? registry.names),
    onlyIn: onlySkillsIn,
  })

  return {
    runs,
    /** The parts that runs are made of, for features that run chats in a store of their own. */
    made: needs,
    isBusy: runs.isBusy,
    isRunning: runs.isRunning,
    /** Start, follow and stop turns on behalf of another feature. */
    send: runs.send,
    watch: runs.watch,
    stopIn: runs.stopIn,
    /**
     * Restore the files that a chat changed. `kept`: files that were changed again since, each with the
     * reason. `held`: obeyed files that the user has not agreed to restore.
     */
    async undoFiles(sessionId: string, obeyed: boolean) {
      const found = await files.list(sessionId, { isOnPath: () => false })
      const usable = found.filter(({ problem }) => problem === null)
      const asked = obeyed ? [] : usable.filter(({ obeyedBy }) => obeyedBy !== undefined)
      const steps = usable
        .filter(file => !asked.includes(file))
        .map(({ path, from, to }) => ({ path, from, to }))
      const { failed } = await files.restore(sessionId, steps, obeyed)
      return {
        kept: [
          ...found.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`])),
          ...failed.map(({ name, why }) => `${name}: ${why}`),
        ],
        held: asked.map(({ name, obeyedBy = '' }) => tellObeyedFile(name, obeyedBy)),
      }
    },
    endChat,
    usualMode,
    /** Scan a long skill ahead of time, so that `attachIn` need not do it. */
    scanSkill: (id: string) => skills.library.scanFirst(id),
    /**
     * Return a skill for an unattended run in a folder, under the rules of a new chat there and of its
     * project.
     */
    attachIn: (id: string, folder: string) =>
      attacher.attach(
        id,
        {
          ...unsetOptions(),
          workspace: folder,
          projectId: projects.inFolder(folder)?.id ?? null,
          approval: usualMode(),
        },
        'schedule',
      ),
    handlers: {
      ...sessionHandlers({
        home,
        store,
        runs,
        projects,
        models,
        config,
        workspace,
        list: needs.search.list,
        inChat: needs.search.inChat,
        contextOfChat: session => readContext({ ...sources, omittedIn: runs.omittedIn }, session),
        forgetContext: models.forgetContext,
        report,
        chatOpened: decider.warmUp,
        restored: () => feed.tell('deleted'),
        beforeNewChat: () => chatEvents.publish({ type: 'new_chat' }),
        changes,
      }),
      ...branchHandlers({
        store,
        files,
        runs,
        approval: usualMode,
        refuseFolder: folder => refuseOwnFolder(home, folder),
        pathMoved(sessionId) {
          runs.pathMoved(sessionId)
          chatEvents.publish({ type: 'path_moved', sessionId })
        },
        now,
        changes,
        documentsFor: needs.attachments.prepare,
      }),
      ...chatHandlers({
        runs,
        changes,
        library: skills.library,
        store,
        skills: attacher,
        documentsFor: needs.attachments.prepare,
        newChatIn: async folder => ({
          ...unsetOptions(),
          workspace: folder === undefined ? workspace : await resolveAsked(folder),
          projectId: null,
          approval: usualMode(),
        }),
      }),
    },
    async close() {
      await titles.close()
      await runs.close()
    },
  }
}
