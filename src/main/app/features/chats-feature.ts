import { tellObeyers } from '../../../shared/obeyed-text.ts'
import { optionNamed, unsetOptions } from '../../../shared/contract/chat-options.ts'
import type { AppEvent } from '../../../shared/contract/app.ts'
import type { NewRunEvent } from '../../../shared/contract/run.ts'
import type { Session } from '../../../shared/contract/session.ts'
import { resolveOption } from '../../../shared/resolve-option.ts'
import { openChangedFiles } from '../../changed-files/open-changed-files.ts'
import { createSkillAttacher } from '../../chats/attach-skill.ts'
import { branchHandlers } from '../../chats/branch-handlers.ts'
import { changesOfChats } from '../../chats/changes-of-chats.ts'
import { chatHandlers, sessionHandlers } from '../../chats/chat-handlers.ts'
import type { ChatSearch } from '../../chats/search/open-search.ts'
import { isTrusted, refuseOwnFolder, resolveAsked } from '../workspace.ts'
import type { ConfigHandle } from '../../config/load.ts'
import type { Store } from '../../db/store.ts'
import { type Broadcast, createTopic, type Topic } from '../../lib/publish.ts'
import type { CommandConfinement } from '../../confinement/sandbox-setting.ts'
import type { Memory } from '../../memory/open-memory.ts'
import type { Projects } from '../../projects/open-projects.ts'
import { guideFeature } from './guide-feature.ts'
import type { permissionsFeature } from './permissions-feature.ts'
import type { Encode } from '../../builtin/guide/second-opinion.ts'
import { createContextReader } from '../../runs/chat-context.ts'
import { createRuns, type RunsOptions } from '../../runs/runs.ts'
import type { Library } from '../../skills/types.ts'
import { createResultCap } from '../../tools/shorten-result.ts'
import { offeredBy, type Registry } from '../../tools/registry.ts'

/** What happens in chats; learning subscribes to it. */
export type ChatEvent =
  | { type: 'run'; sessionId: string; event: NewRunEvent }
  | { type: 'new_chat' }
  | { type: 'path_moved'; sessionId: string }

type Needs = {
  home: string
  workspace: string
  config: ConfigHandle
  store: Store
  models: Required<Pick<RunsOptions, 'engineFor' | 'engineAlone' | 'auxiliaryFor'>> & {
    encode: Encode
    defaultId(): string
    idNow(id: string): string
    forgetContext(sessionId: string): Promise<void>
  }
  memory: { notebook: Memory }
  projects: Projects
  permissions: ReturnType<typeof permissionsFeature>
  skills: { library: Library; evidence: RunsOptions['evidence']; keysFor: RunsOptions['keysFor'] }
  registry: Registry
  toolsets: RunsOptions['toolsets']
  connections: RunsOptions['connections']
  search: { indexSoon(): void; list: ChatSearch['list']; inChat: ChatSearch['inChat'] }
  processes: {
    endChat(sessionId: string): Promise<void>
    runningIn(this: void, folder: string): string | undefined
  }
  confinement: { commands: CommandConfinement; forgetChat(sessionId: string): Promise<unknown> }
  events: Broadcast<AppEvent>
  chatEvents: Topic<ChatEvent>
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
    now,
    report,
  } = needs
  const onlySkillsIn = (place: Pick<Session, 'projectId'>) => projects.of(place)?.skills ?? null
  const usualMode = () =>
    resolveOption(optionNamed('approval'), { settings: config.current.approvals.default })
  /** What the turns of a chat, the view of its context and its reviews are prepared from. */
  const turnSources = {
    home,
    store,
    memory: memory.notebook,
    usesMemory: () => config.current.memory.use_in_chats,
    projects,
    async skillsFor(session: Pick<Session, 'workspace' | 'projectId'>, offered: readonly string[]) {
      if (!config.current.skills.use_in_chats) return []
      await skills.library.caughtUp()
      const only = onlySkillsIn(session)
      const known = skills.library.forChat(session.workspace, offered)
      return only ? known.filter(({ skill }) => only.includes(skill.name)) : known
    },
    trusts: (folder: string) => isTrusted(folder, home, config.current.skills),
    registry,
    toolsets: needs.toolsets,
    connections: needs.connections,
    engineFor: models.engineFor,
    engineAlone: models.engineAlone,
    notesFor: (session: Pick<Session, 'origin' | 'originId'>) =>
      session.origin === 'schedule'
        ? (store.schedules.get(session.originId)?.choices.notes ?? [])
        : undefined,
    auxiliaryFor: models.auxiliaryFor,
    maxIterations: () => config.current.agent.max_iterations,
    now,
  }
  const { guideFor } = guideFeature({
    sources: turnSources,
    messages: store.messages,
    encode: models.encode,
    report,
  })
  const cap = createResultCap(home, config.current.tools, store.marks.keepOutput)
  const files = openChangedFiles({ home, store: store.fileChanges, now })
  const sessionChanges = createTopic<string>()
  let flushes: ReturnType<RunsOptions['flushes']>
  let reports: RunsOptions['reports']
  const runs = createRuns({
    ...turnSources,
    guideFor,
    cap,
    commands: needs.confinement.commands,
    runningIn: needs.processes.runningIn,
    rules: permissions.standing,
    secondLook: permissions.secondLook,
    keysFor: skills.keysFor,
    keepCopy: files.keep,
    compaction: () => config.current.compaction,
    flushes: () => flushes,
    reports: id => reports?.(id),
    waitMs: () => config.current.approvals.wait_minutes * 60_000,
    refuseFolder: folder => refuseOwnFolder(home, folder),
    onSessionChange: sessionChanges.publish,
    evidence: skills.evidence,
    onRunEvent: (sessionId, event) => chatEvents.publish({ type: 'run', sessionId, event }),
    report,
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
  sessionChanges.subscribe(id => {
    needs.search.indexSoon()
    const session = store.sessions.get(id)
    if (!session) leaveChat(id).catch(report)
    events.publish(
      session ? { type: 'session', session: runs.live(session) } : { type: 'session_removed', id },
    )
  })

  const changes = changesOfChats()
  const attacher = createSkillAttacher({
    library: skills.library,
    // Switches alone count here, not the window of the model, which a chat may change.
    offered: place =>
      place.approval === 'chat_only'
        ? []
        : offeredBy(registry, needs.toolsets?.namesFor(place, Infinity) ?? registry.names),
    onlyIn: onlySkillsIn,
  })

  return {
    turnSources,
    runs,
    cap,
    isBusy: runs.isBusy,
    isRunning: runs.isRunning,
    /** Start, follow and stop turns in the name of another feature. */
    send: runs.send,
    watch: runs.watch,
    stopIn: runs.stopIn,
    /**
     * Restore the files that a chat changed, except those that were changed again since: `kept`, each with the reason. `held`: those
     * that programs obey, where the person has not said yes to them.
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
        held: asked.map(({ name, obeyedBy = '' }) => `${name}, which ${tellObeyers([obeyedBy])}`),
      }
    },
    endChat,
    usualMode,
    /**
     * A skill for a run that nobody follows, in a folder: the same as a chat that begins there can have. The project is that of the folder.
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
    /** Who reviews messages before a summary replaces them. */
    flushTo(to: NonNullable<typeof flushes>) {
      flushes = to
    },
    /** Who knows what sub-agents in the background have come to. */
    reportTo(to: NonNullable<typeof reports>) {
      reports = to
    },
    publishSession: sessionChanges.publish,
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
        contextOfChat: createContextReader({ ...turnSources, omittedIn: runs.omittedIn }),
        forgetContext: models.forgetContext,
        report,
        publishSession: sessionChanges.publish,
        beforeNewChat: () => chatEvents.publish({ type: 'new_chat' }),
        changes,
      }),
      ...branchHandlers({
        store,
        files,
        runs,
        approval: usualMode,
        refuseFolder: folder => refuseOwnFolder(home, folder),
        publishSession: sessionChanges.publish,
        pathMoved(sessionId) {
          runs.pathMoved(sessionId)
          chatEvents.publish({ type: 'path_moved', sessionId })
        },
        now,
        changes,
      }),
      ...permissions.handlersWith(needs.confinement.commands.rights),
      ...chatHandlers({
        runs,
        changes,
        library: skills.library,
        store,
        skills: attacher,
        newChatIn: async folder => ({
          ...unsetOptions(),
          workspace: folder === undefined ? workspace : await resolveAsked(folder),
          projectId: null,
          approval: usualMode(),
        }),
      }),
    },
    close: runs.close,
  }
}
