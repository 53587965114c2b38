import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { AppEvent } from '../shared/contract/app.ts'
import { contract, type HostHandlers } from '../shared/contract/index.ts'
import { oneAtATime, workOnData } from './data/work-on-data.ts'
import { apiFeature } from './app/features/outside/api-feature.ts'
import { attachmentsFeature, offerReading } from './app/features/chats/attachments-feature.ts'
import { agentsFeature } from './app/features/outside/agents-feature.ts'
import { batchFeature } from './app/features/outside/batch-feature.ts'
import { chatsFeature, type ChatEvent } from './app/features/chats/chats-feature.ts'
import { confinementFeature } from './app/features/tools/confinement-feature.ts'
import { dataFeature } from './app/features/settings/data-feature.ts'
import { delegationFeature } from './app/features/tools/delegation-feature.ts'
import { importFeature, searchFeature } from './app/features/chats/past-chats-feature.ts'
import { learningFeature } from './app/features/knowledge/learning-feature.ts'
import { mcpFeature } from './app/features/tools/mcp-feature.ts'
import { gatewayFeature, offerSending } from './app/features/outside/gateway-feature.ts'
import { forgetFeature } from './app/features/knowledge/forget-feature.ts'
import { memoryFeature } from './app/features/knowledge/memory-feature.ts'
import { modelsFeature } from './app/features/models/models-feature.ts'
import { networkFeature } from './app/features/settings/network-feature.ts'
import { permissionsFeature } from './app/features/tools/permissions-feature.ts'
import { projectsFeature } from './app/features/chats/projects-feature.ts'
import { purgeFeature } from './app/features/chats/purge-feature.ts'
import { picturesFeature } from './app/features/chats/pictures-feature.ts'
import { processesFeature } from './app/features/tools/processes-feature.ts'
import { schedulesFeature } from './app/features/outside/schedules-feature.ts'
import { turnsFeature } from './app/features/chats/turns-feature.ts'
import { settingsFeature, skipSetupOfOldHome } from './app/features/settings/settings-feature.ts'
import { skillsFeature } from './app/features/knowledge/skills-feature.ts'
import { toolsetsFeature } from './app/features/tools/toolsets-feature.ts'
import { updatesFeature } from './app/features/settings/updates-feature.ts'
import { webFeature } from './app/features/tools/web-feature.ts'
import { openEvenIfFull } from './app/go-on-when-free.ts'
import type { Host, HostOptions } from './app/host-types.ts'
import { limitToReading, readingNotice, takenNotice, withoutOwnWork } from './app/reading-only.ts'
import { takeHome } from './app/take-home.ts'
import { withoutDesktop } from './app/without-desktop.ts'
import { ownSections } from './agent/own-sections.ts'
import { defaultWorkspace, isTrusted } from './files/workspace.ts'
import { resolveHome } from './config/home.ts'
import { createReports } from './delegation/untold-reports.ts'
import { loadConfig } from './config/load.ts'
import { openSecrets } from './config/secrets.ts'
import { openFeed } from './feed/open-feed.ts'
import { openStore } from './db/store.ts'
import { createBroadcast, createTopic } from './lib/topic.ts'
import { isOnMains } from './lib/processes/display-and-power.ts'
import { openLog } from './app/log.ts'
import { untidied } from './lib/processes/tidy-up.ts'
import { forkEngine } from './models/engines/local/process/start-engine.ts'
import { announceTerminalChanges, noticesOver } from './permissions/announce-terminal.ts'
import { showPictures } from './pictures/show-pictures.ts'
import { openPictureSource } from './pictures/picture-source.ts'
import { listenPipe } from './rpc/pipe.ts'
import { serveContract } from './rpc/serve.ts'
import { chatSections } from './runs/prompt/chat-sections.ts'
import { coreTools, planTools, TOOLSETS } from './tools/tool-lists.ts'
import { createRegistry } from './tools/registry/registry.ts'

export type { Host, HostOptions } from './app/host-types.ts'

/** Build the product; it only reads while the disk is full. Throws a `busy` Fault if the home is taken. */
export const createHost = (options: HostOptions): Promise<Host> => openEvenIfFull(options, openHost)

/** Open each feature in order; close them in reverse. A feature gets only the parts passed to it by name. */
async function openHost(options: HostOptions): Promise<Host> {
  const parts: Closable[] = []
  let closing: Promise<void> | undefined
  const close = () => (closing ??= closeAll(parts))
  try {
    return { ...(await build(options, parts)), close }
  } catch (error) {
    await close()
    throw error
  }
}

type Closable = { close(): void | Promise<void> }

async function build(options: HostOptions, parts: Closable[]): Promise<Omit<Host, 'close'>> {
  function opened<T extends Closable>(part: T): T {
    parts.push(part)
    return part
  }
  const now = options.now ?? Date.now
  const given = resolveHome(options.home)
  const events = opened(createBroadcast<AppEvent>())
  const onTaken = (computer: string) =>
    events.publish({ type: 'notice', notice: takenNotice(given, computer) })
  const held = opened(takeHome(given, { now, onTaken, roomIn: options.roomIn }))
  const home = held.path
  const reading = held.reading && readingNotice(given, held.reading)
  const log = opened(openLog(home))
  const report = (error: unknown) => log.error({ error }, 'unexpected')
  const remark = (text: string) => log.warn({}, text)
  opened({ close: untidied.subscribe(({ what, error }) => log.warn({ error }, `could not ${what}`)) })

  const config = reading ? withoutOwnWork(loadConfig(home)) : loadConfig(home)
  const { store, notices: storeNotices } = openStore(home, { clock: now, report })
  opened(store)
  store.moveFolders(realpathSync(given), existsSync)
  store.moveNotes(home)
  skipSetupOfOldHome(config, store)
  const secrets = await openSecrets(home, { openVault: options.openVault })
  const workspace = await defaultWorkspace(home, options.workspace)
  const notices = [
    ...(reading ? [reading] : []),
    ...(options.notices ?? []),
    ...config.notices,
    ...secrets.notices,
    ...storeNotices,
  ]

  const chatEvents = createTopic<ChatEvent>()
  const feed = opened(openFeed({ changes: store.changes, chatsOf: store.projects.chatsOf, events }))
  const processes = opened(processesFeature({ store, feed, now }))
  const registry = createRegistry(
    options.tools ?? coreTools(config.current.tools, processes.running, options.spawnEngine),
    name => Boolean(secrets.trace(name)?.value),
  )
  /** The parts that every feature may use. Parts of other features are passed separately below. */
  const base = { home, workspace, config, store, events, feed, now, report }

  const network = opened(networkFeature(base))
  const updates = updatesFeature({
    ...base,
    network,
    hosting: options.hosting,
    openUpdater: options.openUpdater,
  })
  const spawn = options.spawnEngine ?? forkEngine
  const contents = join(reading ? given : home, 'attachments')
  const source = openPictureSource({ folder: contents, descriptionOf: store.attachments.descriptionOf })
  const models = opened(
    modelsFeature({
      ...base,
      remark,
      network,
      secrets,
      spawn,
      pictures: source,
    }),
  )
  const pictures = picturesFeature({ ...base, source, models, network, spawn })
  const { projects, ...projectsPart } = projectsFeature({
    ...base,
    options: options.contributions?.options ?? [],
  })
  const memory = opened(memoryFeature({ ...base, projects }))
  const search = opened(searchFeature({ ...base, models }))
  const skills = opened(
    skillsFeature({
      ...base,
      network,
      secrets,
      models,
      memory,
      registry,
      projects,
      bundled: options.bundledSkills,
    }),
  )
  if (!options.tools)
    registry.add([
      ...memory.tools,
      ...search.tools,
      ...skills.tools,
      ...planTools(store.messages.latestResult),
    ])
  const confinement = confinementFeature({ ...base, skills, notices, known: options.confinement })
  const mcp = opened(
    mcpFeature({
      ...base,
      network,
      secrets,
      confinement,
      encode: models.encode,
      registry,
      spawn: options.spawnEngine,
      whyOff: (id, tool) => toolsets.choice.whyOff(id, tool),
    }),
  )
  const toolsets = toolsetsFeature({
    ...base,
    registry,
    projects,
    entries: options.tools ? [] : TOOLSETS,
    more: mcp.toolsets,
  })
  const web = opened(
    webFeature({
      ...base,
      isReadOnly: reading !== undefined,
      secrets,
      network,
      spawn: options.spawnEngine,
      access: options.web,
    }),
  )
  const permissions = permissionsFeature({
    ...base,
    models,
    registry,
    rights: confinement.commands.rights,
    runningIn: processes.runningIn,
    notices,
  })
  const sections = [
    ...ownSections({ home, now }),
    ...memory.sections,
    ...skills.sections,
    ...mcp.sections,
    ...web.sections,
    ...chatSections({ home, projects, trusts: folder => isTrusted(folder, home, config.current.skills) }),
    ...(options.contributions?.sections ?? []),
  ]
  const offersReading = offerReading(store.attachments)
  const offersSending = offerSending(store.gateway)
  const turns = turnsFeature({
    ...base,
    models,
    sections,
    projects,
    registry,
    toolsets: toolsets.choice,
    mayOffer: (...given) =>
      [offersReading, web.mayOffer, offersSending, models.mayOffer].every(may => may(...given)),
    connections: mcp.connections,
    describePicture: pictures.describe,
  })
  const attachments = attachmentsFeature({
    ...base,
    home: reading ? given : home,
    isReadOnly: reading !== undefined,
    sources: turns.sources,
    spawn: options.spawnEngine,
    listModels: models.list,
    pictures,
  })
  if (!options.tools) registry.add([attachments.tool, ...web.tools, ...models.tools])
  const learning = opened(
    learningFeature({
      ...base,
      models,
      memory,
      projects,
      skills,
      turns,
      chatEvents,
      isOnMains: options.isOnMains ?? isOnMains,
    }),
  )
  const chats = opened(
    chatsFeature({
      ...base,
      models,
      memory,
      projects,
      permissions,
      skills,
      search,
      attachments,
      processes,
      registry,
      toolsets: toolsets.choice,
      turns,
      flushes: learning.flushes,
      chatEvents,
      reports: createReports({ store, onChange: agent => events.publish({ type: 'agent', agent }) }),
      confinement,
      steps: [
        ...permissions.steps,
        ...confinement.steps,
        ...skills.steps,
        () => showPictures(attachments.keepPicture),
        ...(options.contributions?.steps ?? []),
      ],
    }),
  )
  const isCarried = options.hosting !== 'cli' && !reading
  const batches = opened(batchFeature({ ...base, chats, mcp, confinement, pictures }))
  const delegation = opened(delegationFeature({ ...base, projects, models, chats }))
  if (!options.tools) registry.add(delegation.tools)
  const schedules = opened(
    schedulesFeature({
      ...base,
      models,
      network,
      chats,
      isOnMains: options.isOnMains ?? isOnMains,
      runsByItself: isCarried,
      tellOnMessenger: ended => gateway.tellOfRun(ended),
      keepAwake: options.keepAwake ?? (() => () => undefined),
      zone: options.zone,
    }),
  )
  if (!options.tools) registry.add([schedules.tool])
  const gateway = opened(
    gatewayFeature({
      ...base,
      models,
      network,
      secrets,
      chats,
      attachments,
      schedules,
      chatEvents,
      isCarried,
      options: options.gateway ?? {},
      contentOf: hash => join(contents, hash),
      zone: options.zone,
    }),
  )
  if (!options.tools) registry.add([gateway.tool])
  const api = opened(
    apiFeature({ ...base, secrets, models, chats, isCarried, isAsked: options.answersPrograms === true }),
  )
  const agents = opened(
    agentsFeature({ ...base, memory, skills, search, network, learning, isCarried, remark }),
  )
  const imports = opened(importFeature({ ...base, secrets, models, memory, skills }))
  const data = opened(dataFeature({ ...base, notices, shownHome: given }))
  /** Serialise these jobs: two that rewrite the same backup would collide. */
  const run = oneAtATime(workOnData)
  const purge = opened(purgeFeature({ ...base, log, models, chats, imports, run, notices }))
  const forgetting = opened(forgetFeature({ ...base, agents, memory, models, skills, run }))
  const settings = settingsFeature({
    ...base,
    home: given,
    models,
    secrets,
    skills,
    mcp,
    registry,
    toolsets,
    notices,
    hosting: options.hosting,
    newAddress: options.newAddress,
  })

  const all: HostHandlers = {
    ...settings.handlers,
    ...network.handlers,
    ...updates.handlers,
    ...models.handlers,
    ...memory.handlers,
    ...search.handlers,
    ...skills.handlers,
    ...chats.handlers,
    ...attachments.handlers,
    ...permissions.handlers,
    ...projectsPart.handlers,
    ...delegation.handlers,
    ...toolsets.handlers,
    ...confinement.handlers,
    ...mcp.handlers,
    ...web.handlers,
    ...processes.handlers,
    ...learning.handlers,
    ...schedules.handlers,
    ...gateway.handlers,
    ...api.handlers,
    ...agents.handlers,
    ...batches.handlers,
    ...imports.handlers,
    ...data.handlers,
    ...(options.desktop ?? withoutDesktop),
    ...purge.handlers,
    ...forgetting.handlers,
  }
  const allowed = reading ? limitToReading(all, reading, { copy: home, home: given }) : all
  const { forTerminals, forWindows: handlers } = announceTerminalChanges(allowed, noticesOver(events))
  // Terminals name the real home, and each process may work on its own copy of it.
  opened(await listenPipe(home, channel => serveContract(contract, forTerminals, channel, report), report))
  return {
    home: given,
    reading,
    report,
    handlers,
    desktopSettings: () => config.current.desktop,
    lookAtClock: schedules.scheduler.tick,
    receiveUpload: async (...upload) =>
      (await attachments.receive(...upload)) ?? models.receiveUpload(...upload),
  }
}

/** Close everything in reverse order, even if a part fails; then throw the first failure. */
async function closeAll(parts: readonly Closable[]): Promise<void> {
  const failures: unknown[] = []
  for (const part of parts.toReversed()) {
    try {
      await part.close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
