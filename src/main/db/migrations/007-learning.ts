/**
 * Queued, finished and failed reviews, their proposals, and what the user does not want to be learned. A
 * model reads a compaction in place of older messages; the messages stay.
 */
export const learning = `
create table reviews (
  id text primary key,
  session_id text,
  trigger text not null,
  kinds text not null,
  state text not null,
  up_to_id integer not null,
  from_id integer not null,
  queued_at real not null,
  started_at real,
  ended_at real,
  attempts integer not null default 0,
  outcome text not null default '',
  cost text
) strict;
create index reviews_waiting on reviews (queued_at) where state in ('queued', 'running');
create index reviews_of_chat on reviews (session_id, up_to_id);
create index reviews_ended on reviews (ended_at desc) where ended_at is not null;

create table proposals (
  id text primary key,
  review_id text not null,
  session_id text,
  kind text not null,
  op text not null,
  headline text not null,
  place text not null,
  before text,
  after text,
  change text not null,
  evidence text not null,
  because text not null,
  state text not null,
  at real not null,
  decided_at real,
  memory_revisions text not null default '[]',
  skill_revisions text not null default '[]'
) strict;
create index proposals_open on proposals (at desc) where state = 'open';
create index proposals_of_chat on proposals (session_id, at);
create index proposals_of_review on proposals (review_id);

create table learning_rules (
  id text primary key,
  text text not null,
  example text not null,
  at real not null,
  hits integer not null default 0,
  removed_at real
) strict;

create table compactions (
  id integer primary key autoincrement,
  session_id text not null references sessions (id) on delete cascade,
  at real not null,
  head_id integer not null,
  up_to_id integer not null,
  pruned_to_id integer not null,
  summary text not null,
  made_by text not null,
  focus text not null default '',
  tokens_before integer not null,
  tokens_after integer not null,
  useless integer not null default 0
) strict;
create index compactions_of_chat on compactions (session_id, id desc);
create index memory_revisions_learned on memory_revisions (at) where actor in ('agent', 'review');
create index skill_revisions_learned on skill_revisions (at) where actor in ('agent', 'review');
`
