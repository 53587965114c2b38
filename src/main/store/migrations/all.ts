import { chatsAndRuns } from './001-chats-and-runs.ts'
import { search } from './002-search.ts'

/** What brings a database from each version to the next, in SQL. A released one is never changed. */
export const migrations: readonly string[] = [chatsAndRuns, search]
