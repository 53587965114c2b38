import type { Connection } from './connection.ts'

/** What the person agreed to: the identity of a server, and the text of each of its tools. */
export type McpStore = {
  /** The identity that was accepted; undefined before. */
  identity(server: string): string | undefined
  /** Agree to a server. Its tools are accepted at their next listing if it is new or another one. */
  acceptServer(server: string, identity: string, at: number): void
  /** Whether the tools of a server are still to be accepted as they are listed. */
  awaitsTools(server: string): boolean
  tools(server: string): Map<string, AcceptedTool>
  /** Agree to texts of tools; `changes` counts how often each was accepted anew. */
  acceptTools(server: string, tools: readonly { name: string; hash: string; shape: string; text: string }[]): void
  forget(server: string): void
}

export type AcceptedTool = {
  name: string
  hash: string
  /** The hash of name and schema alone. */
  shape: string
  /** As it was shown to the person. */
  text: string
  changes: number
}

/** The tables of MCP servers. */
export function createMcpStore({ db, durably }: Connection): McpStore {
  const server = db.prepare<[string], { identity: string; awaits_tools: number }>(
    'select identity, awaits_tools from mcp_servers where name = ?',
  )
  const putServer = db.prepare(
    `insert into mcp_servers (name, identity, awaits_tools, accepted_at) values (?, ?, 1, ?)
     on conflict (name) do update set identity = excluded.identity, accepted_at = excluded.accepted_at,
     awaits_tools = identity <> excluded.identity or awaits_tools`,
  )
  const tools = db.prepare<[string], AcceptedTool>(
    'select name, hash, shape, text, changes from mcp_tools where server = ?',
  )
  const putTool = db.prepare(
    `insert into mcp_tools (server, name, hash, shape, text, changes) values (?, ?, ?, ?, ?, 0)
     on conflict (server, name) do update set hash = excluded.hash, shape = excluded.shape, text = excluded.text,
     changes = changes + 1`,
  )
  const listed = db.prepare('update mcp_servers set awaits_tools = 0 where name = ?')
  const dropTools = db.prepare('delete from mcp_tools where server = ?')
  const dropServer = db.prepare('delete from mcp_servers where name = ?')
  return {
    identity: name => server.get(name)?.identity,
    awaitsTools: name => server.get(name)?.awaits_tools === 1,
    acceptServer: (name, identity, at) =>
      durably(() => {
        if (server.get(name)?.identity !== identity) dropTools.run(name)
        putServer.run(name, identity, at)
      }),
    tools: name => new Map(tools.all(name).map(tool => [tool.name, tool])),
    acceptTools: (name, accepted) =>
      durably(() => {
        for (const tool of accepted) putTool.run(name, tool.name, tool.hash, tool.shape, tool.text)
        listed.run(name)
      }),
    forget: name =>
      durably(() => {
        dropTools.run(name)
        dropServer.run(name)
      }),
  }
}
