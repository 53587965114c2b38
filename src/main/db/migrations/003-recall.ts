/**
 * A second word index, over passages: up to 64 messages of a chat as one document. A passage shows what a
 * chat is about better than any single message. Triggers only note changes; the text is indexed before the
 * next search (`db/search/passage-index.ts`), so that a growing passage is not indexed with every message.
 */
export const recall = `
create table passages (
  id integer primary key,
  session_id text not null references sessions (id) on delete cascade,
  first_id integer not null,
  last_id integer not null,
  messages integer not null,
  stale integer not null default 1
) strict;
create index passages_of_session on passages (session_id, first_id);
create index passages_stale on passages (id) where stale = 1;

create virtual table passages_search using fts5 (
  content, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
create trigger passages_delete after delete on passages begin
  delete from passages_search where rowid = old.id;
end;
create trigger passages_grow after insert on messages when new.role <> 'tool' begin
  insert into passages (session_id, first_id, last_id, messages)
    select new.session_id, new.id, new.id, 0
    where coalesce((select messages >= 64 from passages where session_id = new.session_id
      order by first_id desc limit 1), 1);
  update passages set last_id = new.id, messages = messages + 1, stale = 1
    where id = (select id from passages where session_id = new.session_id order by first_id desc limit 1);
end;
create trigger passages_message_gone after delete on messages when old.role <> 'tool' begin
  update passages set stale = 1
    where session_id = old.session_id and first_id <= old.id and last_id >= old.id;
end;
create trigger passages_message_changed after update of content, active on messages when new.role <> 'tool' begin
  update passages set stale = 1
    where session_id = new.session_id and first_id <= new.id and last_id >= new.id;
end;
create trigger passages_titled after update of title on sessions when old.title <> new.title and new.title_given = 1 begin
  update passages set stale = 1 where session_id = new.id;
end;

insert into passages (session_id, first_id, last_id, messages)
  select session_id, min(id), max(id), count(*) from (
    select id, session_id, (row_number() over (partition by session_id order by id) - 1) / 64 as part
    from messages where role <> 'tool'
  ) group by session_id, part;
`
