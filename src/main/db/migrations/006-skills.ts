/**
 * Skills are folders; the tables hold what folders cannot: the user's decisions, who changed what and why,
 * results of use. Revisions are only ever added. `skill_pending` holds the change in progress. A user message
 * may carry a skill.
 */
export const skills = `
create table skill_states (
  key text primary key,
  enabled integer,
  accepted text,
  author text,
  source text,
  updated_at real not null
) strict;

create table skill_revisions (
  id integer primary key autoincrement,
  key text not null,
  name text not null,
  op text not null,
  actor text not null,
  note text not null,
  session_id text,
  message_id integer,
  review_id text,
  at real not null,
  files text not null,
  skill_id text not null,
  archive text,
  undoes integer
) strict;
create index skill_revisions_of_key on skill_revisions (key, id);
create index skill_revisions_of_chat on skill_revisions (session_id, id) where session_id is not null;
create index skill_revisions_undo on skill_revisions (undoes) where undoes is not null;
create trigger skill_revisions_kept before delete on skill_revisions begin
  select raise(abort, 'revisions are only ever added');
end;
create trigger skill_revisions_fixed before update on skill_revisions begin
  select raise(abort, 'revisions are only ever added');
end;

create table skill_uses (
  id integer primary key autoincrement,
  key text not null,
  session_id text not null,
  message_id integer not null,
  made_by text not null,
  at real not null,
  outcome text,
  unique (key, session_id, message_id)
) strict;
create index skill_uses_of_turn on skill_uses (session_id, message_id);
create table skill_pending (id integer primary key check (id = 1), change text not null) strict;

alter table messages add column attached text;
`
