/** What a call was about to do, in words, beside its result; null for calls that did not get so far, and for older ones. */
export const callTitles = `
alter table messages add column title text;
`
