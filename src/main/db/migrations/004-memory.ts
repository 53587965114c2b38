/**
 * The notebook. Its texts are in files; the tables hold what files cannot: who wrote what, when and why.
 * Revisions are only ever added. `memory_pending` holds the change in progress, so that a crash leaves it
 * whole or undone.
 */
export const memory = `
create table memory_entries (
  id text primary key,
  target text not null,
  project text,
  text text not null,
  origin text not null,
  session_id text,
  message_id integer,
  created_at real not null,
  updated_at real not null,
  locked integer not null default 0,
  uses integer not null default 0,
  last_used_at real,
  archived_at real
) strict;
create index memory_entries_of_file on memory_entries (target, project) where archived_at is null;
create index memory_entries_archived on memory_entries (archived_at desc) where archived_at is not null;
create index memory_entries_of_chat on memory_entries (session_id) where session_id is not null;

create table memory_revisions (
  id integer primary key autoincrement,
  entry_id text not null,
  target text not null,
  project text,
  op text not null,
  before text,
  after text,
  actor text not null,
  session_id text,
  message_id integer,
  review_id text,
  at real not null,
  undoes integer
) strict;
create index memory_revisions_of_entry on memory_revisions (entry_id, id);
create index memory_revisions_of_chat on memory_revisions (session_id, id) where session_id is not null;
create index memory_revisions_undo on memory_revisions (undoes) where undoes is not null;
create trigger memory_revisions_kept before delete on memory_revisions begin
  select raise(abort, 'revisions are only ever added');
end;
create trigger memory_revisions_fixed before update on memory_revisions begin
  select raise(abort, 'revisions are only ever added');
end;

create table memory_projects (id text primary key, name text not null, folder text not null) strict;
create table memory_files (path text primary key, content text not null) strict;
create table memory_outside (
  id text primary key,
  target text not null,
  project text,
  path text not null,
  at real not null,
  before text not null,
  after text not null,
  resolved_at real
) strict;
create table memory_pending (id integer primary key check (id = 1), change text not null) strict;
`
