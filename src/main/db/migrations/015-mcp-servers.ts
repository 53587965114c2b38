/**
 * What the person agreed to of MCP servers: their identity, and the text of each tool. `awaits_tools`: the tools that are
 * listed next are accepted with the server.
 */
export const mcpServers = `
create table mcp_servers (name text primary key, identity text not null, awaits_tools integer not null, accepted_at real not null)
  strict, without rowid;
create table mcp_tools (
  server text not null, name text not null, hash text not null, shape text not null, text text not null, changes integer not null,
  primary key (server, name)
) strict, without rowid;
`
