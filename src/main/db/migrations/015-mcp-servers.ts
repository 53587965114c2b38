/**
 * What the user accepted of MCP servers: their identity, and each tool as the server sent it. `awaits_tools`:
 * the next listed tools are accepted with the server. `unasked`: the tool runs without a question. Also the
 * tools that each chat has found.
 */
export const mcpServers = `
create table mcp_servers (name text primary key, identity text not null, awaits_tools integer not null, accepted_at real not null)
  strict, without rowid;
create table mcp_tools (
  server text not null, name text not null, hash text not null, shape text not null, definition text not null,
  changes integer not null, unasked integer not null default 0,
  primary key (server, name)
) strict, without rowid;
create table mcp_found (
  session_id text not null references sessions (id) on delete cascade, tool text not null, found_at real not null,
  primary key (session_id, tool)
) strict, without rowid;
`
