// Migrations of one or two statements, with the version that each leads to. Larger ones have their own file.

/** Version 5. The origin of an imported chat, so that importing an export again adds nothing twice. */
export const imports = `
alter table sessions add column import_key text;
create unique index sessions_imported on sessions (import_key) where import_key is not null;
`

/**
 * Version 10. A compaction stores its model, because its savings depend on the model. It also stores whether
 * the user asked for it, because only automatic ones count for a pause. Older ones have neither.
 */
export const compactions = `
alter table compactions add column model_id text not null default '';
alter table compactions add column by_hand integer not null default 0;
`

/**
 * Version 11. A pinned skill cannot be deleted, and no review writes to it. A bundle is a named set of
 * skills, by their keys as JSON, that are switched together.
 */
export const pinsAndBundles = `
alter table skill_states add column pinned integer not null default 0;
create table skill_bundles (name text primary key, keys text not null, updated_at real not null) strict, without rowid;
`

/**
 * Version 12. A readable title of a call's action, beside its result; null for older calls and those that did
 * not get so far.
 */
export const callTitles = `
alter table messages add column title text;
`

/** Version 13. A chat stores which toolsets were switched on or off for it alone, as JSON. */
export const toolsets = `
alter table sessions add column toolsets text not null default '{}';
`

/** Version 14. The answering style chosen for a chat, by name; empty if none. */
export const personalities = `
alter table sessions add column personality text not null default '';
`

/**
 * The readable parts of a server as the user accepted it, as JSON; empty for older ones. Also recently
 * removed servers, with their entry as JSON and their position in the list. Their acceptances are kept under
 * `agreed_as`.
 */
export const changedServers = `
alter table mcp_servers add column parts text not null default '';
create table mcp_removed (
  name text primary key, entry text not null, place integer not null, agreed_as text not null, removed_at real not null
) strict, without rowid;
`

/**
 * The origin of a chat, formerly called its source, with the thing that it began with: the call of a
 * sub-agent, the id of a schedule. Also the origin of each run, since the user may continue a chat that began
 * without one.
 */
export const origins = `
alter table sessions rename column source to origin;
alter table sessions add column origin_id text not null default '';
update sessions set origin = 'terminal' where origin = 'cli';
alter table runs add column origin text not null default '';
create index sessions_of_parent on sessions (parent_session_id) where parent_session_id is not null;
create index sessions_of_origin on sessions (origin, origin_id) where origin_id <> '';
`

/**
 * When a chat was archived; null while it is in the list. Also when the user last viewed it, and its last
 * message at that time: `seen_id` is null for a chat not opened since this version.
 */
export const archive = `
alter table sessions add column archived_at real;
alter table sessions add column seen_at real;
alter table sessions add column seen_id integer;
`

/** Sub-agents and their parent chats; the rest is JSON. Also a chat's only allowed tools, as a JSON list. */
export const delegations = `
alter table sessions add column only_tools text not null default '[]';
create table delegations (
  session_id text primary key references sessions (id) on delete cascade,
  parent_session_id text not null references sessions (id) on delete cascade,
  started_at real not null,
  ended_at real,
  body text not null
) strict;
create index delegations_of_parent on delegations (parent_session_id);
create index delegations_open on delegations (started_at) where ended_at is null;
`

/** When a server was found to use the older protocol era, so that it is not tried again at each start. */
export const eras = `
alter table mcp_servers add column older_since real;
`

/** The question left in place by a summary of steps of its turn; 0 for a summary of whole turns. */
export const keptQuestions = `
alter table compactions add column question_id integer not null default 0;
`

/** Why a model's summary was not used; empty if it was used or there was none. */
export const refusedSummaries = `
alter table compactions add column refused text not null default '';
`

/** The memory entries being forgotten for good, as JSON, until every copy is clean. */
export const forgetting = `
create table memory_forgetting (id integer primary key check (id = 1), job text not null) strict;
`

/** The other program's session that a review read, with its folder and time; null for a chat's review. */
export const reviewedForeign = `
alter table reviews add column foreign_id text;
alter table reviews add column foreign_source text;
create index reviews_of_foreign on reviews (foreign_id) where foreign_id is not null;
`

/** Whether a model was asked for the title of a chat, which happens only once. */
export const modelTitles = `
alter table sessions add column title_asked integer not null default 0;
`

/** The merge that a revision is part of; null for other changes, and for merges of older versions. */
export const merges = `
alter table memory_revisions add column merge_id text;
create index memory_revisions_of_merge on memory_revisions (merge_id) where merge_id is not null;
`
