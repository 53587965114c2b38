import { unwatchFile, watchFile } from 'node:fs'
import packageJson from '../../../../../package.json' with { type: 'json' }
import type { AppEvent, Notice } from '../../../../shared/contract/app.ts'
import {
  CODE_HASH,
  keysIn,
  type McpServer,
  type McpServerState,
} from '../../../../shared/contract/connections/mcp.ts'
import { keyOfServer } from '../../../config/check-settings.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import { MCP_KEY, type Secrets } from '../../../config/secrets.ts'
import type { CommandConfinement } from '../../../confinement/sandbox-setting.ts'
import type { PromptSection } from '../../../agent/prompt.ts'
import { readDocument, type SpawnReader } from '../../../documents/read-document.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import { tidyUp } from '../../../lib/processes/tidy-up.ts'
import type { Broadcast } from '../../../lib/topic.ts'
import { chatConnections, mcpToolsets } from '../../../mcp/chats/chat-connections.ts'
import { chatTools } from '../../../mcp/chats/chat-tools.ts'
import { mcpHandlers } from '../../../mcp/mcp-handlers.ts'
import { namedCode } from '../../../mcp/servers/named-places.ts'
import { openMcp } from '../../../mcp/open-mcp.ts'
import { choicesOf, openProjectServers } from '../../../mcp/servers/project-servers.ts'
import { openLoginPath } from '../../../mcp/connections/login-path.ts'
import type { Encode } from '../../../mcp/finding/find-tool.ts'
import { estimateTokens } from '../../../../shared/text/estimate-tokens.ts'
import type { Network } from '../../../net/create-network.ts'
import { isTrusted } from '../../../files/workspace.ts'
import type { createRegistry } from '../../../tools/registry/registry.ts'

type Needs = {
  home: string
  config: ConfigHandle
  store: Store
  secrets: Secrets
  network: Pick<Network, 'fetchFor'>
  confinement: { commands: CommandConfinement }
  encode: Encode
  /** Starts the document reader. */
  spawn: SpawnReader | undefined
  registry: Pick<ReturnType<typeof createRegistry>, 'setOthers'>
  /** Return why a tool is off in a chat. Called only once chats run. */
  whyOff(sessionId: string, tool: string): string | undefined
  events: Broadcast<AppEvent>
  feed: Pick<Feed, 'tell'>
  now(): number
  report(error: unknown): void
}

/** Maximum number of tools found by a chat that stay callable and are listed again after a compaction. */
const MOST_FOUND = 20
/** Maximum number of chat folders to search for an `.mcp.json`. */
const MOST_PROJECTS = 50
/** How often to check the settings files, in ms. */
const WATCH_MS = 1_000

/** MCP servers: programs and addresses that provide tools. */
export function mcpFeature(needs: Needs) {
  const { home, config, store, secrets, network, confinement, registry, events, feed, now, report } = needs
  const { encode, whyOff, spawn } = needs
  const projects = openProjectServers({
    folders: () =>
      [
        ...new Set([
          ...config.current.skills.trusted_projects,
          ...store.sessions.workspaces(MOST_PROJECTS).toSorted(),
        ]),
      ].map(folder => ({ folder, trusted: isTrusted(folder, home, config.current.skills) })),
    own: () => config.current.mcp.servers,
    choices: () => config.current.mcp.project_servers,
    onChange: () => void mcp.reconcile().catch(report),
  })
  projects.look()
  const loginPath = openLoginPath()
  const mcp = openMcp({
    home,
    store: store.mcp,
    read: () => config.current.mcp.servers,
    write: servers => config.set('mcp.servers', [...servers]),
    ofProjects: projects.servers,
    choose(server) {
      const others = config.current.mcp.project_servers.filter(
        ({ folder, name }) => folder !== server.project || name !== server.name,
      )
      config.set('mcp.project_servers', [...others, choicesOf(server)])
    },
    commands: confinement.commands,
    keyOf: name => secrets.get(MCP_KEY + name) ?? secrets.get(name),
    keptKey: name => secrets.get(MCP_KEY + name),
    report,
    keepKey: (name, value) => secrets.set(MCP_KEY + name, value),
    loginPath: loginPath.read,
    fetchFor: name => network.fetchFor({ purpose: 'mcp', subject: name }),
    readDocument: (path, how) => readDocument(path, { ...how, ...(spawn && { spawn }) }),
    count: estimateTokens,
    version: packageJson.version,
    now,
  })
  const found = {
    of: (sessionId: string) => store.mcp.found(sessionId, MOST_FOUND),
    any: store.mcp.hasFound,
    add: (sessionId: string, tools: readonly string[]) => store.mcp.addFound(sessionId, tools, now()),
  }
  const parts = { mcp, found, encode, whyOff, folderOf: (id: string) => store.sessions.get(id)?.workspace }
  function refresh(): void {
    const callable = new Set(mcp.usable().map(({ tool }) => tool.name))
    registry.setOthers(
      chatTools(parts),
      mcp.toolNames().filter(name => !callable.has(name)),
    )
    feed.tell('mcp')
  }
  refresh()
  let names = new Set(mcp.servers().map(({ name }) => name))
  mcp.changes.subscribe(() => {
    refresh()
    endNotices()
    watchEdits(mcp.isAnyRunning())
  })
  config.onChange(path => {
    if (path === 'skills.trusted_projects') projects.look()
    if (path.startsWith('mcp.')) mcp.reconcile().catch(report)
    if (path === 'network.offline' || path === 'terminal.sandbox') mcp.restartAll().catch(report)
  })
  const watched: string[] = []
  function readAgain(): void {
    tidyUp('read the entries of servers again', () => {
      config.reload()
      projects.servers()
      warn()
    })
  }
  /** While a server runs, watch settings files: stop servers they no longer name, report changed programs. */
  function watchEdits(wanted: boolean): void {
    if (!wanted) for (const path of watched.splice(0)) unwatchFile(path, readAgain)
    else
      for (const path of [config.path, ...projects.files(), ...mcp.servers().flatMap(programsOf)]) {
        if (watched.includes(path)) continue
        watched.push(path)
        watchFile(path, { persistent: false, interval: WATCH_MS }, readAgain)
      }
  }
  /** The state of each server for which a notice said that it is off, by name. */
  const told = new Map<string, string>()
  /** Read the files again, which the user may have edited, and warn about servers that were not accepted. */
  function reload() {
    config.reload()
    projects.look()
    warn()
    return projects.projects()
  }
  function warn(): void {
    for (const state of mcp.servers().map(mcp.state)) {
      const { name, seen } = state
      if (state.state !== 'not accepted' || told.get(name) === seen) continue
      told.set(name, seen)
      const notice: Notice = {
        id: noticeOf(name),
        level: 'warning',
        text: whyOffNow(state),
        fix: 'Check it on Connections, and agree to it there if it is yours.',
      }
      events.publish({ type: 'notice', notice })
      // No other event reports a changed program on disk.
      feed.tell('mcp')
    }
  }
  /** End the notices about servers that were accepted or are gone, also if a terminal did that. */
  function endNotices(): void {
    const present = new Set(mcp.servers().map(({ name }) => name))
    for (const name of names.difference(present))
      events.publish({ type: 'notice_ended', id: `terminal-mcp-${name}` })
    names = present
    for (const name of told.keys()) {
      const server = mcp.get(name)
      if (server && mcp.state(server).state === 'not accepted') continue
      told.delete(name)
      events.publish({ type: 'notice_ended', id: noticeOf(name) })
    }
  }
  const connections = chatConnections(parts)
  const section: PromptSection = {
    name: 'connections',
    title: 'Connections',
    order: 700,
    text({ session, tools }) {
      // A chat starts in a folder: look for its servers, even if no tool has done so yet.
      projects.look()
      warn()
      const text = connections.section(session.id)
      return tools.some(({ name }) => name === 'find_tool') ? text : ''
    },
  }
  return {
    handlers: mcpHandlers(mcp, reload),
    /** Return the keys of accepted project servers; config.yaml names those of the others. */
    neededKeys: () =>
      mcp
        .ready()
        .filter(({ project }) => project !== undefined)
        .flatMap(server => keysIn(server).map(name => keyOfServer(name, server.name))),
    toolsets: () => mcpToolsets(mcp, found),
    connections,
    sections: [section],
    async close() {
      await mcp.close()
      await loginPath.close()
      watchEdits(false)
    },
  }
}

/** Return the scripts that a server names; they are part of what the user accepted. */
const programsOf = (server: McpServer) => ('command' in server ? namedCode(server) : [])

/** Return why an unaccepted server is off: it is new, its program changed, or its entry changed. */
function whyOffNow({ name, project, changes }: McpServerState): string {
  const file = project === null ? 'config.yaml' : `the .mcp.json of ${project}`
  if (changes === null) return `The MCP server ${name} was added in ${file}, so it is off.`
  if (changes.length > 0 && changes.every(({ part }) => part.startsWith(CODE_HASH)))
    return `The program of the MCP server ${name} changed since you agreed to it, so it is off.`
  return `The MCP server ${name} changed in ${file} since you agreed to it, so it is off.`
}

const noticeOf = (server: string) => `mcp-${server}`
