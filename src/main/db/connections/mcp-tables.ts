import type { Connection } from '../connection.ts'

/** The servers and tools that the user accepted, and the tools that each chat has found. */
export type McpStore = {
  /** Run writes atomically; if one throws, none is kept. */
  atOnce(work: () => void): void
  /** Return the accepted identity, its readable parts as JSON, and when it was first accepted. */
  agreed(server: string): { identity: string; parts: string; at: number } | undefined
  /** Accept a server. If it is new or changed, its tools are accepted at their next listing. */
  acceptServer(server: string, identity: string, parts: string, at: number): void
  /** Whether a server's tools are still to be accepted at their next listing. */
  awaitsTools(server: string): boolean
  /** Return when a server was found to use the older protocol era; undefined if not known to. */
  olderSince(server: string): number | undefined
  setOlder(server: string, at: number | undefined): void
  tools(server: string): Map<string, AcceptedTool>
  /** Accept tools. `changes` counts how often each was accepted again; a changed tool needs consent again. */
  acceptTools(
    server: string,
    tools: readonly Pick<AcceptedTool, 'name' | 'hash' | 'shape' | 'definition'>[],
  ): void
  /** Set whether a tool runs without a question. */
  setUnasked(server: string, tool: string, unasked: boolean): void
  /** Keep an acceptance when a server is renamed; `identity`: its identity with the renamed keys. */
  rename(server: string, to: string, identity?: string): void
  forget(server: string): void
  /** Recently removed servers. `agreedAs`: the kept acceptance. `place`: the position in the list. */
  removed(): RemovedServer[]
  addRemoved(server: RemovedServer): void
  dropRemoved(name: string): void
  /** Return the names of the tools that a chat has found, newest first. */
  found(sessionId: string, most: number): string[]
  addFound(sessionId: string, tools: readonly string[], at: number): void
  /** Whether any chat has found a tool. */
  hasFound(): boolean
}

type RemovedServer = { name: string; entry: string; place: number; agreedAs: string; at: number }

/** A tool as the user accepted it. */
type AcceptedTool = {
  name: string
  hash: string
  /** The hash of only name and schema. */
  shape: string
  /** The tool as the server sent it, as JSON. */
  definition: string
  changes: number
  unasked: number
}

/** The tables of MCP servers. */
export function createMcpStore({ db, durably }: Connection): McpStore {
  const server = db.prepare<
    [string],
    { identity: string; parts: string; awaits_tools: number; accepted_at: number; older_since: number | null }
  >('select identity, parts, awaits_tools, accepted_at, older_since from mcp_servers where name = ?')
  const putServer = db.prepare(
    `insert into mcp_servers (name, identity, parts, awaits_tools, accepted_at) values (?, ?, ?, 1, ?)
     on conflict (name) do update set identity = excluded.identity, parts = excluded.parts,
     accepted_at = iif(identity = excluded.identity, accepted_at, excluded.accepted_at),
     awaits_tools = identity <> excluded.identity or awaits_tools,
     older_since = iif(identity = excluded.identity, older_since, null)`,
  )
  const putOlder = db.prepare('update mcp_servers set older_since = ? where name = ?')
  const tools = db.prepare<[string], AcceptedTool>(
    'select name, hash, shape, definition, changes, unasked from mcp_tools where server = ?',
  )
  const putTool = db.prepare(
    `insert into mcp_tools (server, name, hash, shape, definition, changes) values (?, ?, ?, ?, ?, 0)
     on conflict (server, name) do update set hash = excluded.hash, shape = excluded.shape,
     definition = excluded.definition, changes = changes + 1, unasked = 0`,
  )
  const unask = db.prepare('update mcp_tools set unasked = ? where server = ? and name = ?')
  const listed = db.prepare('update mcp_servers set awaits_tools = 0 where name = ?')
  const renameServer = db.prepare(
    'update mcp_servers set name = ?, identity = coalesce(?, identity) where name = ?',
  )
  const renameTools = db.prepare('update mcp_tools set server = ? where server = ?')
  const dropTools = db.prepare('delete from mcp_tools where server = ?')
  const dropServer = db.prepare('delete from mcp_servers where name = ?')
  const removed = db.prepare<[], RemovedServer>(
    'select name, entry, place, agreed_as as agreedAs, removed_at as at from mcp_removed',
  )
  const putRemoved = db.prepare<[RemovedServer]>(
    `insert or replace into mcp_removed (name, entry, place, agreed_as, removed_at)
     values (@name, @entry, @place, @agreedAs, @at)`,
  )
  const dropRemoved = db.prepare('delete from mcp_removed where name = ?')
  const found = db
    .prepare<[string, number], string>(
      'select tool from mcp_found where session_id = ? order by found_at desc, tool limit ?',
    )
    .pluck()
  const anyFound = db.prepare('select 1 from mcp_found limit 1')
  const putFound = db.prepare(
    `insert into mcp_found (session_id, tool, found_at) values (?, ?, ?)
     on conflict (session_id, tool) do update set found_at = excluded.found_at`,
  )
  return {
    atOnce: work => durably(work),
    agreed(name) {
      const found = server.get(name)
      return found && { identity: found.identity, parts: found.parts, at: found.accepted_at }
    },
    olderSince: name => server.get(name)?.older_since ?? undefined,
    setOlder: (name, at) => void putOlder.run(at ?? null, name),
    awaitsTools: name => server.get(name)?.awaits_tools === 1,
    acceptServer: (name, identity, parts, at) =>
      durably(() => {
        if (server.get(name)?.identity !== identity) dropTools.run(name)
        putServer.run(name, identity, parts, at)
      }),
    tools: name => new Map(tools.all(name).map(tool => [tool.name, tool])),
    acceptTools: (name, accepted) =>
      durably(() => {
        for (const tool of accepted) putTool.run(name, tool.name, tool.hash, tool.shape, tool.definition)
        listed.run(name)
      }),
    setUnasked: (name, tool, unasked) => durably(() => void unask.run(unasked ? 1 : 0, name, tool)),
    rename: (name, to, identity) =>
      durably(() => {
        renameServer.run(to, identity ?? null, name)
        renameTools.run(to, name)
      }),
    forget: name =>
      durably(() => {
        dropTools.run(name)
        dropServer.run(name)
      }),
    removed: () => removed.all(),
    addRemoved: server => durably(() => void putRemoved.run(server)),
    dropRemoved: name => durably(() => void dropRemoved.run(name)),
    found: (sessionId, most) => found.all(sessionId, most),
    hasFound: () => anyFound.get() !== undefined,
    addFound: (sessionId, names, at) =>
      durably(() => {
        for (const name of names) putFound.run(sessionId, name, at)
      }),
  }
}
