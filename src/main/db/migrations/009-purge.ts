/**
 * Deleted chats are removed for good after a grace period. `purges` holds those whose removal has started, so
 * that a crash leaves nothing half removed. For chats deleted before this version, the grace period starts
 * now. Rows deleted earlier left their bytes in the file: `cleaned` is 0 until these are overwritten.
 */
export const purge = `
create table purges (
  session_id text primary key,
  created_at real not null,
  deleted_at real not null,
  asked integer not null
) strict, without rowid;
create table purge_state (
  id integer primary key check (id = 1),
  cleaned integer not null,
  seen_at real,
  trusted_at real,
  doubted_at real
) strict;
insert into purge_state (id, cleaned)
  values (1, not exists (select 1 from sessions) and not exists (select 1 from sqlite_sequence where name = 'messages'));
update sessions set deleted_at = unixepoch('subsec') * 1000 where deleted_at is not null;
create index sessions_deleted on sessions (deleted_at) where deleted_at is not null;
insert into messages_search (messages_search, rank) values ('secure-delete', 1);
`
