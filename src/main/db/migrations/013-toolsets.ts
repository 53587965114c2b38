/** A chat knows which toolsets were switched on or off for it alone, as JSON. */
export const toolsets = `
alter table sessions add column toolsets text not null default '{}';
`
