/**
 * A pinned skill cannot be deleted, and no review writes to it. A bundle is a named set of skills, by their keys as JSON, that
 * are switched together.
 */
export const pinsAndBundles = `
alter table skill_states add column pinned integer not null default 0;
create table skill_bundles (name text primary key, keys text not null, updated_at real not null) strict, without rowid;
`
