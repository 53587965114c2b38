/**
 * The changes that tools made to files, in order, so that going back in a chat can offer the old content.
 * `before_hash` is null if the file did not exist, `after_hash` if it was removed; both are SHA-256.
 * `message_id` is the path's message after which it happened. `call_id` is the call, null if the user
 * restored a file. `copy`: the old content is `kept`, there was `none`, it was `too_big`, or it was `dropped`
 * to save space. `bytes` is its size.
 */
export const fileChanges = `
create table file_changes (
  id integer primary key,
  session_id text not null references sessions (id) on delete cascade,
  message_id integer not null,
  call_id text,
  folder text not null,
  path text not null,
  before_hash text,
  after_hash text,
  copy text not null,
  bytes integer not null,
  at real not null
) strict;
create index file_changes_of_chat on file_changes (session_id, id);
create index file_changes_kept on file_changes (id) where copy = 'kept';
`
