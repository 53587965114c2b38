// Migrations of one or two statements, with the version that each leads to. Larger ones have a file of their own.

/** Version 5. Where a chat of another program came from, so that importing an export again brings nothing twice. */
export const imports = `
alter table sessions add column import_key text;
create unique index sessions_imported on sessions (import_key) where import_key is not null;
`

/**
 * Version 10. A compaction knows its model, because what it saves depends on the model, and whether the user asked for
 * it, because only others count for a pause. Older ones have neither.
 */
export const compactions = `
alter table compactions add column model_id text not null default '';
alter table compactions add column by_hand integer not null default 0;
`

/**
 * Version 11. A pinned skill cannot be deleted, and no review writes to it. A bundle is a named set of skills, by their
 * keys as JSON, that are switched together.
 */
export const pinsAndBundles = `
alter table skill_states add column pinned integer not null default 0;
create table skill_bundles (name text primary key, keys text not null, updated_at real not null) strict, without rowid;
`

/**
 * Version 12. What a call was about to do, in words, beside its result; null for calls that did not get so far, and for
 * older ones.
 */
export const callTitles = `
alter table messages add column title text;
`

/** Version 13. A chat knows which toolsets were switched on or off for it alone, as JSON. */
export const toolsets = `
alter table sessions add column toolsets text not null default '{}';
`

/** Version 14. The style of answering that was chosen for a chat, by its name; empty for none. */
export const personalities = `
alter table sessions add column personality text not null default '';
`

/**
 * What a server was when the person agreed to it, in words by part, as JSON; empty for older ones. And servers that were removed a
 * moment ago, with their entry as JSON and its place in the list. What was agreed to of them is kept under `agreed_as`.
 */
export const changedServers = `
alter table mcp_servers add column parts text not null default '';
create table mcp_removed (
  name text primary key, entry text not null, place integer not null, agreed_as text not null, removed_at real not null
) strict, without rowid;
`

/**
 * The origin of a chat, which was called its source, with what it began with there: the call of a sub-agent, the id of a schedule.
 * And the origin of each run, since a person may go on in a chat that began without one.
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
 * When a chat was put into the archive; null while it is in the list. And when somebody last looked at it, and the last
 * message that they then had: `seen_id` is null for a chat that was not opened since this version.
 */
export const archive = `
alter table sessions add column archived_at real;
alter table sessions add column seen_at real;
alter table sessions add column seen_id integer;
`

/** Sub-agents, with the chat that each works for; the rest is JSON. And the only tools that a chat may have, as a JSON list. */
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

/** When a server was found to speak the older era of the protocol, so that it is not asked again at each start. */
export const eras = `
alter table mcp_servers add column older_since real;
`

/** The question that a summary of steps of a turn leaves where it is; 0 for one of whole turns. */
export const keptQuestions = `
alter table compactions add column question_id integer not null default 0;
`

/** Why a model's summary was not used; empty where it was, or where there was none. */
export const refusedSummaries = `
alter table compactions add column refused text not null default '';
`

/** What of the memory is being forgotten for good, as JSON, until every copy is without it. */
export const forgetting = `
create table memory_forgetting (id integer primary key check (id = 1), job text not null) strict;
`

/** The session of another program that a review read, and where and when it was; null for a review of a chat. */
export const reviewedForeign = `
alter table reviews add column foreign_id text;
alter table reviews add column foreign_source text;
create index reviews_of_foreign on reviews (foreign_id) where foreign_id is not null;
`

/** Whether a model was asked for the title of a chat, which happens once. */
export const modelTitles = `
alter table sessions add column title_asked integer not null default 0;
`

/** The merge of entries that a revision is a part of; null for other changes, and for merges of older versions. */
export const merges = `
alter table memory_revisions add column merge_id text;
create index memory_revisions_of_merge on memory_revisions (merge_id) where merge_id is not null;
`
