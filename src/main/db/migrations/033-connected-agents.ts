/**
 * Other programs with an agent that may read from here. Of a key only its hash is kept; `may` is what the person allowed, as JSON. And
 * what each asked for: `given` names what it got by ids, as JSON, so that no text is kept twice.
 */
export const connectedAgents = `
create table connected_agents (
  id text primary key, name text not null, key_hash text not null unique, program text not null default '', allowed integer not null,
  may text not null, created_at real not null, last_at real
) strict, without rowid;
create table agent_requests (
  id integer primary key, agent_id text not null references connected_agents (id) on delete cascade, at real not null,
  tool text not null, asked text not null, given text not null, bytes integer not null, refused text not null
) strict;
create index agent_requests_of_agents on agent_requests (agent_id, at);
`
