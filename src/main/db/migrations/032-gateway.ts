/**
 * Messengers: how far each was read; contacts with their accounts; the chat that answers in each place;
 * received and outgoing messages, each stored before it is confirmed or sent; each contact's use per day;
 * open questions on phones.
 */
export const gateway = `
create table gateway_platforms (
  name text primary key, read_offset text not null default '', value text not null default '{}'
) strict, without rowid;
create table gateway_contacts (
  id text primary key, relation text not null, name text not null, rights text not null default 'deny',
  value text not null default '{}', created_at real not null, last_at real
) strict, without rowid;
create table gateway_accounts (
  platform text not null, account_id text not null,
  contact_id text not null references gateway_contacts (id) on delete cascade,
  name text not null, place text not null default '', primary key (platform, account_id)
) strict, without rowid;
create table gateway_groups (
  platform text not null, chat_id text not null, title text not null, allowed integer not null default 0, last_at real not null,
  primary key (platform, chat_id)
) strict, without rowid;
create table gateway_places (
  platform text not null, place_key text not null, contact_id text references gateway_contacts (id) on delete cascade,
  session_id text references sessions (id) on delete set null,
  value text not null default '{}', last_at real not null, primary key (platform, place_key)
) strict, without rowid;
create index gateway_places_of_chats on gateway_places (session_id) where session_id is not null;
create table gateway_inbox (
  id integer primary key, platform text not null, update_key text not null, place_key text not null, at real not null,
  received_at real not null, state text not null default 'new', session_id text references sessions (id) on delete cascade,
  message_id integer, body text not null
) strict;
create unique index gateway_inbox_once on gateway_inbox (platform, update_key);
create index gateway_inbox_open on gateway_inbox (state, id) where state in ('new', 'waiting', 'taken');
create index gateway_inbox_of_chats on gateway_inbox (session_id) where session_id is not null;
create table gateway_outbox (
  id integer primary key, platform text not null, place_key text not null, session_id text references sessions (id) on delete cascade,
  run_id text, message_id integer, part integer not null default 0, made_at real not null, next_at real not null,
  state text not null default 'waiting', tries integer not null default 0, sent_id text, problem text not null default '',
  body text not null
) strict;
create index gateway_outbox_open on gateway_outbox (state, id) where state in ('live', 'waiting', 'sending', 'unsure');
create index gateway_outbox_of_chats on gateway_outbox (session_id);
create table gateway_questions (
  id text primary key, run_id text not null references runs (id) on delete cascade, approval_id text not null, contact_id text not null, platform text not null,
  place_key text not null, sent_id text, expires_at real not null, state text not null default 'open', value text not null
) strict, without rowid;
create index gateway_questions_of_runs on gateway_questions (run_id);
create table gateway_spending (
  contact_id text not null references gateway_contacts (id) on delete cascade, day text not null,
  messages integer not null default 0, tokens integer not null default 0, primary key (contact_id, day)
) strict, without rowid;
`
