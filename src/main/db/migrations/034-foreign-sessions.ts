/**
 * The user's sessions with agents of other programs, redacted before they are stored. `id` is the program
 * with its own session id, `claude-code:…`; `event` is a LearningEvent as JSON, without the session. An event
 * is identified by the id its program gave it, so that a session received twice counts once. `reviewed_to` is
 * the last reviewed event.
 */
export const foreignSessions = `
create table foreign_sessions (
  id text primary key, agent text not null, folder text not null, first_at real not null, last_at real not null, ended_at real,
  model text not null default '', reviewed_to integer not null default 0, is_imported integer not null default 0
) strict, without rowid;
create index foreign_sessions_by_time on foreign_sessions (last_at);
create table foreign_events (
  id integer primary key, session_id text not null references foreign_sessions (id) on delete cascade, event_id text not null,
  at real not null, bytes integer not null, event text not null, unique (session_id, event_id)
) strict;
-- Sums of bytes are taken of this index alone, and never read an event.
create index foreign_events_bytes on foreign_events (session_id, bytes);
`
