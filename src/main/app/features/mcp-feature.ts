import packageJson from '../../../../package.json' with { type: 'json' }
import type { AppEvent } from '../../../shared/contract/app.ts'
import type { ConfigHandle } from '../../config/load.ts'
import type { Secrets } from '../../config/secrets.ts'
import type { CommandConfinement } from '../../confinement/sandbox-setting.ts'
import type { Store } from '../../db/store.ts'
import type { Broadcast } from '../../lib/publish.ts'
import { mcpHandlers } from '../../mcp/mcp-handlers.ts'
import { openMcp } from '../../mcp/open-mcp.ts'
import { createLoginPath } from '../../mcp/start-program.ts'
import { estimateTokens } from '../../models/estimate-tokens.ts'
import type { Network } from '../../net/network.ts'

type Needs = {
  home: string
  config: ConfigHandle
  store: Store
  secrets: Secrets
  network: Pick<Network, 'fetchFor'>
  confinement: { commands: CommandConfinement }
  events: Broadcast<AppEvent>
  now(): number
}

/** MCP servers: programs and addresses that bring tools. */
export function mcpFeature({ home, config, store, secrets, network, confinement, events, now }: Needs) {
  const mcp = openMcp({
    home,
    store: store.mcp,
    read: () => config.current.mcp.servers,
    write: servers => config.set('mcp.servers', [...servers]),
    commands: confinement.commands,
    keyOf: name => secrets.get(`MCP_${name}`) ?? secrets.get(name),
    loginPath: createLoginPath(),
    fetchFor: name => network.fetchFor({ purpose: 'mcp', subject: name }),
    count: estimateTokens,
    version: packageJson.version,
    now,
  })
  mcp.changes.subscribe(() => events.publish({ type: 'mcp' }))
  config.onChange(path => {
    if (path === 'mcp.servers') events.publish({ type: 'mcp' })
  })
  return { mcp, handlers: mcpHandlers(mcp), close: mcp.close }
}
