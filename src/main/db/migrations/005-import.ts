/** Chats of other programs: where each came from, so that importing the same export again brings nothing twice. */
export const imports = `
alter table sessions add column import_key text;
create unique index sessions_imported on sessions (import_key) where import_key is not null;
`
