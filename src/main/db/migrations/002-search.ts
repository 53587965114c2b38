/** A word index over messages and tool results. The text stays in `messages`; triggers keep them in sync. */
export const search = `
create virtual table messages_search using fts5 (
  content, content = 'messages', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);
create trigger messages_search_insert after insert on messages begin
  insert into messages_search (rowid, content) values (new.id, new.content);
end;
create trigger messages_search_delete after delete on messages begin
  insert into messages_search (messages_search, rowid, content) values ('delete', old.id, old.content);
end;
create trigger messages_search_update after update of content on messages begin
  insert into messages_search (messages_search, rowid, content) values ('delete', old.id, old.content);
  insert into messages_search (rowid, content) values (new.id, new.content);
end;
insert into messages_search (messages_search) values ('rebuild');
`
