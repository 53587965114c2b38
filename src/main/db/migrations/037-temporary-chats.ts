/**
 * A chat can be temporary. Neither word index includes it, because text that is never indexed leaves no
 * traces. A chat that is kept is indexed from then on. FTS5 must not delete entries it does not hold, so its
 * triggers check too. Code that deletes a temporary chat must delete its messages first, while its row still
 * exists.
 */
export const temporaryChats = `
alter table sessions add column temporary integer not null default 0;
create index sessions_temporary on sessions (id) where temporary = 1;
drop trigger messages_search_insert;
drop trigger messages_search_delete;
drop trigger messages_search_update;
drop trigger passages_grow;
create trigger messages_search_insert after insert on messages
  when not exists (select 1 from sessions where id = new.session_id and temporary = 1)
begin
  insert into messages_search (rowid, content) values (new.id, new.content);
end;
create trigger messages_search_delete after delete on messages
  when not exists (select 1 from sessions where id = old.session_id and temporary = 1)
begin
  insert into messages_search (messages_search, rowid, content) values ('delete', old.id, old.content);
end;
create trigger messages_search_update after update of content on messages
  when not exists (select 1 from sessions where id = new.session_id and temporary = 1)
begin
  insert into messages_search (messages_search, rowid, content) values ('delete', old.id, old.content);
  insert into messages_search (rowid, content) values (new.id, new.content);
end;
create trigger passages_grow after insert on messages
  when new.role <> 'tool' and not exists (select 1 from sessions where id = new.session_id and temporary = 1)
begin
  insert into passages (session_id, first_id, last_id, messages)
    select new.session_id, new.id, new.id, 0
    where coalesce((select messages >= 64 from passages where session_id = new.session_id
      order by first_id desc limit 1), 1);
  update passages set last_id = new.id, messages = messages + 1, stale = 1
    where id = (select id from passages where session_id = new.session_id order by first_id desc limit 1);
end;
create trigger sessions_kept after update of temporary on sessions when old.temporary = 1 and new.temporary = 0 begin
  insert into messages_search (rowid, content) select id, content from messages where session_id = new.id;
  insert into passages (session_id, first_id, last_id, messages)
    select new.id, min(id), max(id), count(*) from (
      select id, (row_number() over (order by id) - 1) / 64 as part
      from messages where session_id = new.id and role <> 'tool'
    ) group by part;
end;
`
