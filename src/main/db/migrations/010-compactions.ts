/**
 * A compaction knows its model, since what it saves depends on the model, and whether the user asked for it, since only
 * others count for a pause. Older ones have neither.
 */
export const compactions = `
alter table compactions add column model_id text not null default '';
alter table compactions add column by_hand integer not null default 0;
`
