/**
 * Which files belong to a message, or, without one, to the draft of a chat. `hash` is the SHA-256 of the
 * content, which is stored in the home under that name. `value` holds its facts as JSON. Rows of messages are
 * derived from the messages, however these are made. A content that no row names is removed.
 */
export const attachments = `
create table attachments (
  id integer primary key,
  session_id text not null references sessions (id) on delete cascade,
  message_id integer references messages (id) on delete cascade,
  hash text not null,
  value text not null
) strict;
create unique index attachments_of_drafts on attachments (session_id, hash) where message_id is null;
create index attachments_of_chats on attachments (session_id);
create index attachments_of_messages on attachments (message_id);
create index attachments_by_hash on attachments (hash);
create trigger messages_attach after insert on messages
  when new.attached is not null and json_type(new.attached, '$.attachments') = 'array'
begin
  insert into attachments (session_id, message_id, hash, value)
    select new.session_id, new.id, value ->> 'hash', value from json_each(new.attached, '$.attachments');
end;
`
