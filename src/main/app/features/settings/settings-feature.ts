import packageJson from '../../../../../package.json' with { type: 'json' }
import type { Area } from '../../../../shared/contract/areas.ts'
import type { AppEvent, Notice, Settings } from '../../../../shared/contract/app.ts'
import type { EngineState } from '../../../../shared/contract/models/model.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { ConfigPath } from '../../../config/schema.ts'
import { followConfig } from './config-notices.ts'
import { settingsHandlers } from '../../../config/settings-handlers.ts'
import type { KnownKey } from '../../../config/known-keys.ts'
import type { Secrets } from '../../../config/secrets.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import { Fault } from '../../../../shared/rpc.ts'
import { helpHandlers } from '../../../help/help-handlers.ts'
import type { Registry } from '../../../tools/registry/registry.ts'
import type { ToolsetFlaw } from '../../../tools/registry/toolsets.ts'
import type { Broadcast } from '../../../lib/topic.ts'
import type { HostOptions } from '../../host-types.ts'
import type { HostHandlers } from '../../../../shared/contract/index.ts'

type Needs = {
  home: string
  workspace: string
  hosting: HostOptions['hosting']
  newAddress: HostOptions['newAddress'] | undefined
  notices: Notice[]
  config: ConfigHandle
  secrets: Secrets
  skills: { neededKeys(): KnownKey[]; library: { changed(when: 'now'): void; caughtUp(): Promise<void> } }
  mcp: { neededKeys(): KnownKey[] }
  registry: Pick<Registry, 'names' | 'get'>
  toolsets: { flaws(): readonly ToolsetFlaw[] }
  models: { defaultId(): string; engineState(): EngineState }
  events: Broadcast<AppEvent>
  feed: Pick<Feed, 'tell'>
}

/** The window's greeting, Help, the settings, and the events that announce changed settings to windows. */
export function settingsFeature({
  home,
  workspace,
  hosting,
  notices,
  config,
  secrets,
  skills,
  mcp,
  registry,
  toolsets,
  models,
  events,
  feed,
  newAddress,
}: Needs) {
  config.onChange(path => {
    feed.tell('settings', ...areasOf(path))
    for (const event of eventsFor(path, config)) events.publish(event)
  })
  const { readAgain } = followConfig({ config, notices, events })
  return {
    handlers: {
      ...appHandlers({
        version: packageJson.version,
        hosting,
        newAddress,
        home,
        workspace,
        notices,
        readAgain,
        config,
        events,
        defaultModelId: models.defaultId,
        engineState: models.engineState,
      }),
      ...helpHandlers(),
      ...settingsHandlers({
        config,
        secrets,
        neededKeys: () => [...keysOfTools(registry), ...skills.neededKeys(), ...mcp.neededKeys()],
        findNeeded: skills.library.caughtUp,
        flaws: toolsets.flaws,
        keyChanged() {
          // A key enables tools, which skills may require.
          skills.library.changed('now')
          feed.tell('model', 'settings')
          events.publish({ type: 'settings', settings: windowSettings(config) })
        },
        publish: events.publish,
      }),
    },
  }
}

/** Mark setup as done in a home that has chats, because it was used before setup existed. */
export function skipSetupOfOldHome(config: ConfigHandle, store: Pick<Store, 'sessions'>): void {
  const { sessions } = store.sessions.list({ query: '', limit: 1, offset: 0 })
  if (sessions.length === 0 || config.current.ui.setup_done) return
  try {
    config.set('ui.setup_done', true)
  } catch (error) {
    // A configuration file with a mistake is never written.
    if (!(error instanceof Fault)) throw error
  }
}

/** Return the keys that tools ask for. `known-keys.ts` describes those of Talaria's own tools. */
const keysOfTools = ({ names, get }: Pick<Registry, 'names' | 'get'>): KnownKey[] =>
  names.flatMap(tool =>
    (get(tool)?.keys ?? []).map(name => ({
      name,
      help: `Key that the tool ${tool} needs.`,
      where: 'You get the key from the provider of the service.',
      usedBy: [tool],
      masked: true,
    })),
  )

/**
 * Return the areas that a setting changes besides `settings`; skills, learning, models announce their own.
 */
function areasOf(path: ConfigPath): Area[] {
  const [section] = path.split('.')
  return section === 'memory' || section === 'network' ? [section] : []
}

/** Return the events of a changed setting that carry its new value. */
function eventsFor(path: ConfigPath, config: ConfigHandle): AppEvent[] {
  const [section] = path.split('.')
  const { network, ui } = config.current
  const settings: AppEvent = { type: 'settings', settings: windowSettings(config) }
  if (section === 'network') return [settings, { type: 'lock', locked: network.offline }]
  if (path === 'ui.setup_done') return [settings, { type: 'setup', done: ui.setup_done }]
  return [settings]
}

type App = {
  version: string
  hosting: 'desktop' | 'headless' | 'cli'
  newAddress: (() => string | undefined) | undefined
  home: string
  workspace: string
  notices: Notice[]
  readAgain(): void
  config: ConfigHandle
  events: Pick<Broadcast<AppEvent>, 'listen'>
  defaultModelId(): string
  engineState(): EngineState
}

/** The greeting of a window, its settings and the notices. */
function appHandlers({
  version,
  hosting,
  newAddress,
  home,
  workspace,
  config,
  events,
  defaultModelId,
  engineState,
  notices,
  readAgain,
}: App) {
  const settings = () => windowSettings(config)
  return {
    async *'app.watch'(_input, signal) {
      readAgain()
      // Listen before building the greeting, so that no event is missed in between.
      await using following = events.listen(signal)
      yield {
        type: 'hello',
        version,
        hosting,
        home,
        workspace,
        platform: process.platform,
        defaultModelId: defaultModelId(),
        settings: settings(),
        engine: engineState(),
        notices: [...notices],
        locked: config.current.network.offline,
        // A broken file cannot record that setup is finished, and it does not belong to a new user.
        setupDone: config.current.ui.setup_done || config.problems().some(each => each.severity === 'error'),
      }
      yield* following
    },
    'app.setSettings'({ theme, codeTheme, textSize, sendWith, keys, expert }) {
      if (codeTheme !== undefined) config.set('ui.code_theme', codeTheme)
      if (textSize !== undefined) config.set('ui.text_size', textSize)
      if (theme !== undefined) config.set('ui.theme', theme)
      if (sendWith !== undefined) config.set('ui.send_with', sendWith)
      if (keys !== undefined) config.set('ui.keys', keys)
      if (expert !== undefined) config.set('ui.expert', expert)
      return settings()
    },
    'app.newAddress': () => ({ address: newAddress?.() ?? null }),
    'app.dismissNotice'({ id }) {
      const at = notices.findIndex(notice => notice.id === id)
      if (at >= 0) notices.splice(at, 1)
      return {}
    },
  } satisfies Partial<HostHandlers>
}

/** The settings that the window itself uses. */
const windowSettings = ({ current: { ui } }: ConfigHandle): Settings => ({
  theme: ui.theme,
  codeTheme: ui.code_theme,
  textSize: ui.text_size,
  sendWith: ui.send_with,
  keys: ui.keys,
  expert: ui.expert,
})
