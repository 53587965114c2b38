/**
 * All options set for a chat are in one column, as JSON by option name; unset ones are absent. Until now each
 * option had its own column. Unreadable JSON counts as nothing set, as before. The same applies to projects.
 */
export const chatOptions = `
alter table sessions add column options text not null default '{}';
update sessions set options = (
  select json_group_object(name, json(value)) from (
    select 'approval' as name, json_quote(approval) as value
    union all select 'toolsets', toolsets where toolsets <> '{}' and json_valid(toolsets)
    union all select 'personality', json_quote(personality) where personality <> ''
    union all select 'instructions', json_quote(instructions) where instructions <> ''
    union all select 'sampling', sampling where sampling <> '{}' and json_valid(sampling)
  )
);
alter table sessions drop column approval;
alter table sessions drop column toolsets;
alter table sessions drop column personality;
alter table sessions drop column instructions;
alter table sessions drop column sampling;
alter table projects add column options text not null default '{}';
update projects set options = (
  select json_group_object(name, json(value)) from (
    select 'approval' as name, json_quote(approval) as value where approval is not null
    union all select 'toolsets', toolsets where toolsets <> '{}' and json_valid(toolsets)
    union all select 'sampling', sampling where sampling <> '{}' and json_valid(sampling)
  )
);
alter table projects drop column approval;
alter table projects drop column toolsets;
alter table projects drop column sampling;
`
