/**
 * Other programs with an agent that may read from here. Only the hash of a key is stored; `may` is what the
 * user allowed, as JSON. Also their requests: `given` lists the ids of what each got, as JSON, so that no
 * text is stored twice.
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
