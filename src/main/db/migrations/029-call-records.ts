/**
 * The outcome of a call, as data. Until now it was a sentence, which is parsed here once, as far as possible.
 * The files are those that the call names in its reply.
 */
export const callRecords = `
alter table messages rename column allowed to record;
update messages set record = record_of_reason(record, tool_name, content, (
    select j.value -> 'arguments' ->> 'path' from messages r, json_each(r.tool_calls) j
    where messages.ok = 1 and messages.tool_name in ('write_file', 'patch_file')
      and r.session_id = messages.session_id and r.role = 'assistant' and r.id < messages.id and r.id > messages.id - 50
      and j.value ->> 'id' = messages.tool_call_id
    order by r.id desc limit 1
  ))
  where role = 'tool';
`
