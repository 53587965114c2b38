/**
 * The messages of a chat are a tree. `active` marks its path: from a first message to the end where the chat
 * continues, in the order of ids, since a message is always newer than its parent. An older chat becomes one
 * path. `left_at` says when a path that ended here was left, counted in moves of its chat. Passages hold
 * every branch, so a move changes no index.
 */
export const branches = `
alter table messages add column parent_id integer;
alter table messages add column left_at integer;
alter table sessions add column path_moves integer not null default 0;
update messages set parent_id = (select max(p.id) from messages p
  where p.session_id = messages.session_id and p.id < messages.id and p.active = 1);
create index messages_of_parent on messages (session_id, parent_id);
create index messages_on_path on messages (session_id, id) where active = 1;
drop trigger passages_message_changed;
create trigger passages_message_changed after update of content on messages when new.role <> 'tool' begin
  update passages set stale = 1
    where session_id = new.session_id and first_id <= new.id and last_id >= new.id;
end;
`
