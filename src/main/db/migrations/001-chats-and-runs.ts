/** Chats, their messages, and the logs of their runs. Times are epoch milliseconds. */
export const chatsAndRuns = `
create table sessions (
  id text primary key,
  source text not null,
  title text not null default '',
  title_given integer not null default 0,
  preview text not null default '',
  model text not null,
  workspace text not null,
  approval text not null,
  parent_session_id text references sessions (id) on delete set null,
  pinned integer not null default 0,
  draft text not null default '',
  message_count integer not null default 0,
  turn_count integer not null default 0,
  tool_call_count integer not null default 0,
  tokens_in integer not null default 0,
  tokens_out integer not null default 0,
  tokens_cached integer not null default 0,
  end_reason text,
  created_at real not null,
  updated_at real not null,
  deleted_at real
) strict;
create index sessions_listed on sessions (pinned desc, updated_at desc, id desc) where deleted_at is null;

create table prompts (
  session_id text not null references sessions (id) on delete cascade,
  key text not null,
  system text not null,
  tool_names text not null,
  primary key (session_id, key)
) strict, without rowid;

create table runs (
  number integer primary key,
  id text not null unique,
  session_id text not null references sessions (id) on delete cascade,
  started_at real not null,
  ended_at real,
  reason text,
  last_seq integer not null default 0,
  waiting integer not null default 0,
  logged integer not null default 1
) strict;
create unique index runs_open on runs (session_id) where ended_at is null;
create index runs_logged on runs (number) where logged = 1 and ended_at is not null;
create index runs_of_session on runs (session_id);

create table run_events (
  run_id text not null references runs (id) on delete cascade,
  seq integer not null,
  at real not null,
  body text not null,
  primary key (run_id, seq)
) strict, without rowid;

create table messages (
  id integer primary key autoincrement,
  session_id text not null references sessions (id) on delete cascade,
  run_id text references runs (id) on delete set null,
  role text not null check (role in ('user', 'assistant', 'tool')),
  content text not null,
  reasoning text,
  tool_calls text,
  tool_name text,
  tool_call_id text,
  ok integer,
  duration_ms real,
  allowed text,
  interrupted integer,
  model text,
  raw text,
  usage text,
  tokens integer,
  created_at real not null,
  active integer not null default 1,
  compacted integer not null default 0
) strict;
create index messages_of_session on messages (session_id, id);
create index messages_of_run on messages (run_id, id) where run_id is not null;
`
