/** The style of answering that was chosen for a chat, by its name; empty for none. */
export const personalities = `
alter table sessions add column personality text not null default '';
`
