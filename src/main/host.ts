import packageJson from '../../package.json' with { type: 'json' }
import type { AppEvent } from '../shared/contract/app.ts'
import { contract, type HostHandlers } from '../shared/contract/index.ts'
import { Fault } from '../shared/rpc.ts'
import { loadConfig, type ConfigHandle } from './config/load.ts'
import type { ConfigPath, ConfigValue } from './config/schema.ts'
import { openSecrets } from './config/secrets.ts'
import { resolveHome } from './config/home.ts'
import type { Host, HostOptions } from './host-types.ts'
import { createBroadcast } from './lib/broadcast.ts'
import { isOnMains } from './lib/mains.ts'
import { createFeed } from './learning/feed.ts'
import { openLearning } from './learning/open-learning.ts'
import { openLog } from './lib/log.ts'
import { bundledSkills } from './lib/places.ts'
import { askingOf } from './llm/ask-once.ts'
import { forkEngine } from './llm/local/fork-engine.ts'
import { estimateTokens } from './llm/estimate-tokens.ts'
import { openMemory } from './memory/memory.ts'
import { watchMemory } from './memory/watch.ts'
import { openModels } from './open-models.ts'
import { appHandlers, windowSettings } from './rpc/handlers/app.ts'
import { chatHandlers } from './rpc/handlers/chat.ts'
import { engineHandlers } from './rpc/handlers/engine.ts'
import { learningHandlers } from './rpc/handlers/learning.ts'
import { memoryHandlers } from './rpc/handlers/memory.ts'
import { modelHandlers } from './rpc/handlers/model.ts'
import { networkHandlers } from './rpc/handlers/network.ts'
import { recallHandlers } from './rpc/handlers/recall.ts'
import { sessionHandlers } from './rpc/handlers/session.ts'
import { settingsHandlers } from './rpc/handlers/settings.ts'
import { transferHandlers } from './rpc/handlers/transfer.ts'
import { transfersHandlers } from './rpc/handlers/transfers.ts'
import { listenPipe } from './rpc/pipe.ts'
import { skillHandlers } from './rpc/handlers/skills.ts'
import { skillImportHandlers } from './rpc/handlers/skill-imports.ts'
import { serve } from './rpc/serve.ts'
import { createContextReader } from './runs/context-of.ts'
import { createReviewSubject } from './runs/review-subject.ts'
import { createRuns } from './runs/runs.ts'
import { keepIndexed } from './sessions/keep-indexed.ts'
import { createRecall } from './sessions/recall.ts'
import { openSkills } from './skills/open-skills.ts'
import { lockHome } from './store/lock.ts'
import { openStore } from './store/open.ts'
import { createCap } from './tools/cap.ts'
import { coreTools } from './tools/core.ts'
import { memoryTool } from './tools/memory.ts'
import { createRegistry } from './tools/registry.ts'
import { sessionSearchTool } from './tools/session-search.ts'
import { skillTools } from './tools/skills.ts'
import { createTransfer } from './transfer/transfer.ts'
import { defaultWorkspace } from './workspace.ts'

export type { Host, HostOptions } from './host-types.ts'

/**
 * Build the whole product once: this is the only place that knows every room. What is built last is closed first.
 * Throws a `busy` Fault when another process owns the home folder.
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const closers: Closer[] = []
  let closing: Promise<void> | undefined
  const close = () => (closing ??= closeAll(closers))
  try {
    return { ...(await build(options, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

type Closer = () => void | Promise<void>

/** Close everything, also when a part fails; the first failure is then thrown. */
async function closeAll(closers: Closer[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.toReversed()) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function build(options: HostOptions, closers: Closer[]): Promise<Omit<Host, 'close'>> {
  const now = Date.now
  const home = resolveHome(options.home)
  const lock = lockHome(home)
  closers.push(() => lock.close())
  const log = openLog(home)
  closers.push(() => log.close())
  const report = (error: unknown) => log.error({ error }, 'unexpected')

  const config = loadConfig(home)
  const { store, notices: storeNotices } = openStore(home, { clock: now, report })
  closers.push(() => store.close())
  // Whoever has chats came with an earlier version and knows their way.
  const { sessions: chats } = store.sessions.list({ query: '', limit: 1, offset: 0 })
  if (chats.length > 0 && !config.current.ui.setup_done) keepSetting(config, 'ui.setup_done', true)
  const secrets = await openSecrets(home, { vault: options.vault })
  const events = createBroadcast<AppEvent>()
  closers.push(() => events.close())

  const opened = openModels({
    home,
    config,
    secrets,
    store,
    spawn: options.spawnEngine ?? forkEngine,
    events,
    now,
    report,
  })
  closers.push(() => opened.close())
  const { models, local } = opened

  const memory = openMemory({
    home,
    store: store.memory,
    limits: () => ({ user: config.current.memory.user_limit, memory: config.current.memory.notes_limit }),
    count: estimateTokens,
    onChange: () => events.publish({ type: 'memory' }),
    now,
  })
  // Looking takes over what another program wrote, and tells of it.
  const watching = watchMemory(home, () => void memory.view(), report)
  closers.push(() => watching.close())
  // Skills name the toolsets or the tools that they need.
  const toolsets = () => registry.names.flatMap(name => [name, registry.get(name)!.toolset])
  const skills = openSkills({
    home,
    bundled: options.bundledSkills ?? bundledSkills(),
    store,
    edition: packageJson.version,
    settings: () => config.current.skills,
    toolsets,
    count: estimateTokens,
    now,
    onChange: () => events.publish({ type: 'skills' }),
    reach: (host, subject) => opened.network.begin(host, { purpose: 'skill_import', subject }),
    report,
  })
  closers.push(() => skills.close())
  const recall = createRecall(store.recall)
  const indexing = keepIndexed(store.recall, { report })
  closers.push(() => indexing.close())
  const registry = createRegistry(
    options.tools ?? [
      ...coreTools(config.current.tools),
      memoryTool(memory, () => config.current.memory.learn_from_chats),
      sessionSearchTool({ recall, store }),
      ...skillTools({
        ...skills,
        store: store.skills,
        uses: () => config.current.skills.use_in_chats,
        learns: () => config.current.skills.learn_from_chats,
        now,
      }),
    ],
  )
  const answering = {
    home,
    store,
    memory,
    usesMemory: () => config.current.memory.use_in_chats,
    skillsFor: (folder: string) => (config.current.skills.use_in_chats ? skills.library.forChat(folder) : []),
    registry,
    engineFor: opened.engineFor,
    auxiliaryFor: opened.auxiliaryFor,
    cap: createCap(home, config.current.tools),
    maxIterations: () => config.current.agent.max_iterations,
    compactAt: () => config.current.compaction.trigger,
    flush: (sessionId: string, fromId: number, upToId: number) => learning.flush(sessionId, fromId, upToId),
    now,
    report,
  }
  const runs = createRuns({
    ...answering,
    waitMs: () => config.current.approvals.wait_minutes * 60_000,
    onSessionChange: publishSession,
    evidence: skills.evidence,
    onRunEvent: (id, event) => feed.take(id, event),
  })
  closers.push(() => runs.close())

  function publishSession(id: string) {
    indexing.soon()
    const session = store.sessions.get(id)
    events.publish(
      session ? { type: 'session', session: runs.live(session) } : { type: 'session_removed', id },
    )
  }

  const workspace = await defaultWorkspace(home, options.workspace)
  const contextOfChat = createContextReader(answering)
  const learning = openLearning({
    ...answering,
    ...skills,
    settings: () => config.current.learning,
    subjectOf: createReviewSubject({
      ...answering,
      engineFor: opened.auxiliaryFor,
      defaults: () => ({ modelId: models.defaultId(), workspace }),
    }),
    mayLearn: () => [
      ...(config.current.memory.learn_from_chats ? (['memory'] as const) : []),
      ...(config.current.skills.learn_from_chats ? (['skills'] as const) : []),
    ],
    isBusy: runs.isBusy,
    isOnMains,
    onChange: open => events.publish({ type: 'learning', open }),
  })
  closers.push(() => learning.close())
  const feed = createFeed({
    home,
    store,
    learning,
    keepsTrajectories: () => config.current.learning.trajectories,
    now,
    report,
  })
  const transfer = createTransfer({
    home,
    store,
    memory,
    settings: () => ({
      modelId: models.defaultId(),
      workspace,
      approval: config.current.approvals.default,
    }),
    onChat: publishSession,
    now,
    report,
  })
  closers.push(() => transfer.close())
  /** Whoever works with a setting hears of it when it changes, in whatever way. */
  function onSetting(path: ConfigPath) {
    if (path.startsWith('ui.')) events.publish({ type: 'settings', settings: windowSettings(config) })
    if (path.startsWith('models.')) events.publish({ type: 'models' })
    if (path === 'network.offline')
      events.publish({ type: 'network', locked: config.current.network.offline })
    if (path.startsWith('learning.')) learning.settingsChanged()
  }
  const shared = {
    ...opened,
    home,
    workspace,
    config,
    store,
    memory,
    recall,
    transfer,
    runs,
    events,
    onSetting,
    publish: (event: AppEvent) => events.publish(event),
    contextOfChat,
    publishSession,
    report,
    count: estimateTokens,
    ...skills,
    learning,
    beforeNew: feed.beforeNew,
    asking: askingOf({ models: { ...models, engineFor: opened.engineFor }, forget: local.forget }),
  }
  const handlers: HostHandlers = {
    ...appHandlers({
      ...shared,
      version: packageJson.version,
      hosting: options.hosting,
      notices: [...config.notices, ...secrets.notices, ...storeNotices],
    }),
    ...sessionHandlers(shared),
    ...chatHandlers(shared),
    ...modelHandlers(shared),
    ...engineHandlers(shared),
    ...transfersHandlers(shared),
    ...settingsHandlers(shared),
    ...networkHandlers(shared),
    ...memoryHandlers(shared),
    ...recallHandlers(shared),
    ...transferHandlers(shared),
    ...skillHandlers({ ...shared, store }),
    ...skillImportHandlers(shared),
    ...learningHandlers(shared),
  }
  const pipe = await listenPipe(home, channel => serve(contract, handlers, channel, report), report)
  closers.push(() => pipe.close())
  return { home, report, handlers, receiveUpload: opened.transfers.receive }
}

/** Set something that nobody asked for; a file with a mistake in it is left alone. */
function keepSetting<P extends ConfigPath>(config: ConfigHandle, path: P, value: ConfigValue<P>): void {
  try {
    config.set(path, value)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
  }
}
