/**
 * Marks of strangers' texts as data. `ended_marks`: those that the user ended in a chat. `output_marks`:
 * those of the files of long results, even if empty. Until now marks were words in frames, so stored texts
 * with frames get marks from them, once. Summaries get the marks of what they replaced. Marks are JSON.
 */
export const marks = `
create table ended_marks (
  session_id text not null references sessions (id) on delete cascade,
  mark text not null,
  at real not null,
  primary key (session_id, mark)
) strict, without rowid;
create table output_marks (name text primary key, marks text not null) strict, without rowid;
alter table compactions add column marks text not null default '[]';
alter table schedules add column marks text not null default '[]';
update messages set attached = json_set(coalesce(attached, '{}'), '$.marks', json(marks_of_frames(content)))
  where role = 'tool' and instr(content, ': text from a stranger (') > 0 and marks_of_frames(content) is not null;
update messages set attached = json_set(attached, '$.marks', json(marks_of_frames(attached ->> 'reports')))
  where role = 'user' and instr(attached, ': text from a stranger (') > 0
    and marks_of_frames(attached ->> 'reports') is not null;
with marked (session_id, id, mark) as materialized (
  select m.session_id, m.id, j.value from messages m, json_each(m.attached, '$.marks') j
  where m.attached is not null and json_type(m.attached, '$.marks') = 'array'
)
update compactions set marks = (
    select json_group_array(json(mark)) from marked
    where marked.session_id = compactions.session_id and marked.id <= compactions.up_to_id
  )
  where summary <> '' and session_id in (select session_id from marked);
`
