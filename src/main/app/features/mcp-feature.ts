import { unwatchFile, watchFile } from 'node:fs'
import packageJson from '../../../../package.json' with { type: 'json' }
import type { AppEvent, Notice } from '../../../shared/contract/app.ts'
import type { ConfigHandle } from '../../config/load.ts'
import { MCP_KEY, type Secrets } from '../../config/secrets.ts'
import type { CommandConfinement } from '../../confinement/sandbox-setting.ts'
import type { Store } from '../../db/store.ts'
import type { Broadcast } from '../../lib/publish.ts'
import { chatConnections, mcpToolsets } from '../../mcp/chat-connections.ts'
import { chatTools } from '../../mcp/chat-tools.ts'
import { mcpHandlers } from '../../mcp/mcp-handlers.ts'
import { openMcp } from '../../mcp/open-mcp.ts'
import { createLoginPath } from '../../mcp/start-program.ts'
import { estimateTokens } from '../../models/estimate-tokens.ts'
import type { Network } from '../../net/network.ts'
import type { createRegistry } from '../../tools/registry.ts'

type Needs = {
  home: string
  config: ConfigHandle
  store: Store
  secrets: Secrets
  network: Pick<Network, 'fetchFor'>
  confinement: { commands: CommandConfinement }
  registry: Pick<ReturnType<typeof createRegistry>, 'setOthers'>
  /** Why a tool is off in a chat. It is asked once chats run. */
  whyOff(sessionId: string, tool: string): string | undefined
  events: Broadcast<AppEvent>
  now(): number
  report(error: unknown): void
}

/** As many tools as a chat found stay callable, and are listed again after a compaction. */
const MOST_FOUND = 20
/** Between two looks at the file of settings, in ms. */
const WATCH_MS = 1_000

/** MCP servers: programs and addresses that bring tools. */
export function mcpFeature(needs: Needs) {
  const { home, config, store, secrets, network, confinement, registry, whyOff, events, now, report } = needs
  const mcp = openMcp({
    home,
    store: store.mcp,
    read: () => config.current.mcp.servers,
    write: servers => config.set('mcp.servers', [...servers]),
    commands: confinement.commands,
    keyOf: name => secrets.get(MCP_KEY + name) ?? secrets.get(name),
    keepKey: (name, value) => secrets.set(MCP_KEY + name, value),
    loginPath: createLoginPath(),
    fetchFor: name => network.fetchFor({ purpose: 'mcp', subject: name }),
    count: estimateTokens,
    version: packageJson.version,
    now,
  })
  const found = {
    of: (sessionId: string) => store.mcp.found(sessionId, MOST_FOUND),
    any: store.mcp.hasFound,
    add: (sessionId: string, tools: readonly string[]) => store.mcp.addFound(sessionId, tools, now()),
  }
  const parts = { mcp, found, whyOff }
  function refresh(): void {
    registry.setOthers(chatTools(parts))
    events.publish({ type: 'mcp' })
  }
  refresh()
  mcp.changes.subscribe(() => {
    refresh()
    watchEdits(mcp.isAnyRunning())
  })
  config.onChange(path => {
    if (path.startsWith('mcp.')) mcp.reconcile().catch(report)
    if (path === 'network.offline' || path === 'terminal.sandbox') mcp.restartAll().catch(report)
  })
  const readAgain = () => void config.reload()
  let watches = false
  /** While a server runs, an edit of the file by hand ends what it no longer names. */
  function watchEdits(wanted: boolean): void {
    if (watches === wanted) return
    watches = wanted
    if (wanted) watchFile(config.path, { persistent: false, interval: WATCH_MS }, readAgain)
    else unwatchFile(config.path, readAgain)
  }
  const told = new Set<string>()
  /** Read config.yaml again, which may have been edited by hand, and warn of servers that were not accepted. */
  function reload(): void {
    config.reload()
    for (const { name, shown, state } of mcp.servers().map(mcp.state)) {
      if (state !== 'not accepted' || told.has(shown)) continue
      told.add(shown)
      const notice: Notice = {
        id: `mcp-${name}`,
        level: 'warning',
        text: `The MCP server ${name} was added or changed in config.yaml, so it is off.`,
        fix: 'Look at it on Connections, and agree to it there if it is yours.',
      }
      events.publish({ type: 'notice', notice })
    }
  }
  return {
    handlers: mcpHandlers(mcp, reload),
    toolsets: () => mcpToolsets(mcp),
    connections: chatConnections(parts),
    async close() {
      await mcp.close()
      watchEdits(false)
    },
  }
}
