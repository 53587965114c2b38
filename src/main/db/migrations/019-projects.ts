/**
 * Projects with their settings, as JSON unless they are one text. `notes` names their file in the notebook,
 * which stays the same if the folder changes. A removed project stays until the host ends, so that it can be
 * restored with its chats. Settings of a single chat are stored with the chat.
 */
export const projects = `
create table projects (
  id text primary key, name text not null, folder text, instructions text not null default '', model text, approval text,
  toolsets text not null default '{}', skills text, sampling text not null default '{}', notes text not null,
  created_at real not null, updated_at real not null, deleted_at real
) strict, without rowid;
alter table sessions add column project_id text;
alter table sessions add column instructions text not null default '';
alter table sessions add column sampling text not null default '{}';
create index sessions_of_project on sessions (project_id, updated_at) where project_id is not null;
`
