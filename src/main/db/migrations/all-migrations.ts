import { chatsAndRuns } from './001-chats-and-runs.ts'
import { search } from './002-search.ts'
import { recall } from './003-recall.ts'
import { memory } from './004-memory.ts'
import { skills } from './006-skills.ts'
import { learning } from './007-learning.ts'
import { networkAndUsage } from './008-network-and-usage.ts'
import { purge } from './009-purge.ts'
import {
  archive,
  callTitles,
  changedServers,
  compactions,
  delegations,
  eras,
  forgetting,
  imports,
  merges,
  modelTitles,
  refusedSummaries,
  reviewedForeign,
  keptQuestions,
  origins,
  personalities,
  pinsAndBundles,
  toolsets,
} from './small-changes.ts'
import { mcpServers } from './015-mcp-servers.ts'
import { branches } from './016-branches.ts'
import { projects } from './019-projects.ts'
import { fileChanges } from './020-file-changes.ts'
import { schedules } from './022-schedules.ts'
import { callRecords } from './029-call-records.ts'
import { marks } from './026-marks.ts'
import { chatOptions } from './030-chat-options.ts'
import { attachments } from './031-attachments.ts'
import { gateway } from './032-gateway.ts'
import { connectedAgents } from './033-connected-agents.ts'
import { foreignSessions } from './034-foreign-sessions.ts'
import { temporaryChats } from './037-temporary-chats.ts'

/** The SQL that brings a database from each version to the next. A released one is never changed. */
export const migrations: readonly string[] = [
  chatsAndRuns,
  search,
  recall,
  memory,
  imports,
  skills,
  learning,
  networkAndUsage,
  purge,
  compactions,
  pinsAndBundles,
  callTitles,
  toolsets,
  personalities,
  mcpServers,
  branches,
  changedServers,
  origins,
  projects,
  fileChanges,
  archive,
  schedules,
  delegations,
  eras,
  keptQuestions,
  marks,
  refusedSummaries,
  forgetting,
  callRecords,
  chatOptions,
  attachments,
  gateway,
  connectedAgents,
  foreignSessions,
  reviewedForeign,
  merges,
  temporaryChats,
  modelTitles,
]
