/** The requests that left this computer and why, and what answers cost: tokens, time, money. */
export const networkAndUsage = `
create table network (
  id integer primary key autoincrement,
  at real not null,
  host text not null,
  purpose text not null,
  subject text not null,
  nearby integer not null,
  state text not null,
  sent_bytes integer,
  received_bytes integer,
  ms real
) strict;
create index network_hosts on network (host, id);

create table usage (
  id integer primary key autoincrement,
  at real not null,
  session_id text not null,
  model_id text not null,
  model_name text not null,
  kind text not null,
  prompt_tokens integer not null,
  cached_tokens integer not null,
  output_tokens integer not null,
  ms real not null,
  cost_usd real
) strict;
create index usage_at on usage (at);
create index usage_of_chat on usage (session_id);
`
