import { chatsAndRuns } from './001-chats-and-runs.ts'
import { search } from './002-search.ts'
import { recall } from './003-recall.ts'
import { memory } from './004-memory.ts'
import { imports } from './005-import.ts'
import { skills } from './006-skills.ts'
import { learning } from './007-learning.ts'
import { networkAndUsage } from './008-network-and-usage.ts'

/** What brings a database from each version to the next, in SQL. A released one is never changed. */
export const migrations: readonly string[] = [
  chatsAndRuns,
  search,
  recall,
  memory,
  imports,
  skills,
  learning,
  networkAndUsage,
]
