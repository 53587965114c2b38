/**
 * Schedules and their runs. `choices` and `grants` are JSON. Every instant up to `settled_to` has its row or
 * needs none; each instant has at most one row.
 */
export const schedules = `
create table schedules (
  id text primary key, words text not null, rule text not null, zone text not null, choices text not null,
  grants text not null default '[]', granted_for text not null default '', paused text, failures integer not null default 0,
  settled_to real not null, created_at real not null, updated_at real not null, deleted_at real
) strict, without rowid;
create table schedule_runs (
  id integer primary key, schedule_id text not null references schedules (id) on delete cascade, planned real not null,
  kind text not null, state text not null, reason text not null default '', text text not null default '',
  started_at real, ended_at real, session_id text, silent integer not null default 0,
  tokens integer not null default 0, cost_usd real, more integer not null default 0, denied text not null default '[]',
  unique (schedule_id, planned)
) strict;
create index schedule_runs_open on schedule_runs (planned) where state in ('claimed', 'running');
create table schedule_facts (name text primary key, value text not null) strict, without rowid;
`
