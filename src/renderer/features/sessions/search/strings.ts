import type { Role, Since } from './filters.ts'

/** Every sentence of the search. */
export const searchText = {
  placeholder: 'Search',
  label: 'Search in chats',
  clear: 'Clear the search',
  untitled: 'New chat',

  searching: 'Searching…',
  results: (count: number) => (count === 1 ? '1 chat found' : `${count} chats found`),
  nothing: (query: string) => `Nothing was found for “${query}”.`,
  nothingHint: 'Try fewer words, or others that were used there: names, numbers, the thing itself.',
  nothingFilteredHint: 'The search looks only at a part of what was said.',
  everywhere: 'Search everywhere',
  failed: (why: string) => `The search did not work: ${why}`,
  tryAgain: 'Try again',

  when: 'When',
  who: 'Who said it',
  filter: (name: string, value: string) => `${name}: ${value}`,
  since: {
    any: 'Any time',
    week: 'Last week',
    month: 'Last month',
    year: 'Last year',
  } satisfies Record<Since, string>,
  role: {
    any: 'Anyone',
    user: 'You',
    assistant: 'Talaria',
    tool: 'Tools',
  } satisfies Record<Role, string>,
} as const
