import { accessSync, constants, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Notice } from '../../shared/contract/app.ts'
import { Fault } from '../../shared/rpc.ts'
import type { Clock } from '../lib/timing.ts'
import { openConnection, openInMemory, type Connection } from './connection.ts'
import { forgetDamage, guardMethods, BROKEN, INCOMPLETE, inspectDatabase } from './file/damage.ts'
import { asFault, isDamage, isIncomplete, damageNotice, REBUILT, safeNotice } from './file/database-faults.ts'
import {
  type CompactionStore,
  createCompactions,
  createMessages,
  type MessageStore,
} from './chats/message-tables.ts'
import { type BranchStore, createBranches } from './chats/branch-tables.ts'
import { type AttachmentStore, createAttachments } from './chats/attachment-tables.ts'
import { type ContactStore, createContactStore } from './connections/contact-tables.ts'
import { createFileChanges, type FileChangeStore } from './chats/file-change-tables.ts'
import { createDelegations, type DelegationStore } from './chats/delegation-tables.ts'
import { createImports, type ImportStore } from './chats/import-tables.ts'
import { createMarks, type MarkStore } from './chats/mark-tables.ts'
import { createAgentStore, type AgentStore } from './connections/agent-tables.ts'
import { createForeignStore, type ForeignStore } from './learning/foreign-tables.ts'
import { createGatewayStore, type GatewayStore } from './connections/gateway-tables.ts'
import { createForgetStore, type ForgetStore } from './removal/forget-tables.ts'
import { createLearningStore, type LearningStore } from './learning/learning-tables.ts'
import { createMcpStore, type McpStore } from './connections/mcp-tables.ts'
import { createMemoryStore, type MemoryStore } from './learning/memory-tables.ts'
import { migrateDatabase } from './file/migrate.ts'
import { createNetworkStore, createUsageStore, type NetworkStore, type UsageStore } from './ledger-tables.ts'
import { createPageCleaner, type PageCleaner } from './removal/clean-pages.ts'
import { createPlaceStore, type PlaceStore } from './place-tables.ts'
import { createProjects, type ProjectStore } from './chats/project-tables.ts'
import { createPurges, type PurgeStore } from './removal/purge-tables.ts'
import { createRecallIndex, type RecallStore } from './search/recall-tables.ts'
import { createRuns, type RunStore } from './chats/run-tables.ts'
import { createScheduleStore, type ScheduleStore } from './schedule-tables.ts'
import { createSessions, type SessionStore } from './chats/session-tables.ts'
import { createChatTurns, type ChatTurns } from './search/turns-of-chat.ts'
import { watchTables, type TableWatch } from './watch-tables.ts'
import { WATCHED_TABLES } from './watched-tables.ts'
import { createSkillStore, type SkillStore } from './learning/skill-tables.ts'

/** The persistent state, in `state.db`. Every write is durable when the function returns. */
export type Store = PlaceStore & {
  sessions: SessionStore
  projects: ProjectStore
  imports: ImportStore
  delegations: DelegationStore
  messages: MessageStore
  branches: BranchStore
  fileChanges: FileChangeStore
  attachments: AttachmentStore
  turns: ChatTurns
  recall: RecallStore
  marks: MarkStore
  memory: MemoryStore
  forgetting: ForgetStore
  mcp: McpStore
  skills: SkillStore
  network: NetworkStore
  usage: UsageStore
  schedules: ScheduleStore
  contacts: ContactStore
  gateway: GatewayStore
  agents: AgentStore
  foreign: ForeignStore
  learning: LearningStore
  compactions: CompactionStore
  runs: RunStore
  purge: PurgeStore
  /** Overwrites what the file still holds of deleted rows. */
  pages: Pick<PageCleaner, 'step' | 'sync'>
  /** Announces changes after they are committed. */
  changes: TableWatch
  /** The path of the database in use. */
  readonly path: string
  close(): void
}

/**
 * File names in order of use. A damaged database is never written; the next one is used until it is mended.
 */
const NAMES = ['state.db', 'state.safe.db', 'state.safe-2.db', 'state.safe-3.db']

/** Rebuild the word indexes: one immediately, the other as its passages are found to be stale. */
const REBUILD = `
  insert into messages_search (messages_search) values ('delete-all');
  insert into messages_search (rowid, content) select m.id, m.content from messages m
    where not exists (select 1 from sessions s where s.id = m.session_id and s.temporary = 1);
  insert into passages_search (passages_search) values ('delete-all');
  update passages set stale = 1;`

export type StoreOptions = {
  clock: Clock
  /** Receives errors that stop nothing. */
  report: (error: unknown) => void
}

/**
 * Open the database of a home folder, which only one process may do (see `lockHome`). Problems with it are
 * returned as notices for the user. Throws a `not_ready` Fault if nothing can be opened at all.
 */
export function openStore(home: string, options: StoreOptions): { store: Store; notices: Notice[] } {
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw asFault(error, home)
  }
  const notices: Notice[] = []
  for (const name of NAMES) {
    const path = join(home, name)
    const opened = openAt(path, home, options)
    if ('damaged' in opened) {
      notices.push(damageNotice(home, path, opened.damaged, options.report))
      continue
    }
    if (opened.rebuilt) notices.push(REBUILT)
    if (name === NAMES[0]) notices.push(...safeNotice(home, NAMES.slice(1)))
    return { store: opened.store, notices }
  }
  throw new Fault(
    'not_ready',
    `No database in ${home} can be opened, not even the ones used instead of it. Move ${NAMES.join(', ')} to another place.`,
  )
}

/** The triggers that fill the word indexes. Filling takes longer than all other writes of a message. */
const FILL_INDEXES = [
  'messages_search_insert',
  'messages_search_delete',
  'messages_search_update',
  'passages_grow',
  'passages_message_gone',
  'passages_message_changed',
  'passages_titled',
]

/**
 * Open an empty in-memory store, for chats that are not the user's. It is lost with the process; searches
 * find nothing in it.
 */
export function openMemoryStore(options: StoreOptions): Store {
  const connection = openInMemory()
  migrateDatabase(connection, '', options.clock())
  for (const name of FILL_INDEXES) connection.db.exec(`drop trigger ${name}`)
  return build(connection, ':memory:', options, {})
}

type Opened = { damaged: string } | { store: Store; rebuilt: boolean }

/** Open one database, or return why it must not be touched. */
function openAt(path: string, home: string, options: StoreOptions): Opened {
  const finding = inspectDatabase(path)
  if (finding.state === 'damaged') return { damaged: finding.reason }
  const rebuilt = finding.state === 'index'
  const isNew = !existsSync(path)
  let connection: Connection | undefined
  try {
    connection = openConnection(path)
    migrateDatabase(connection, home, options.clock())
    if (rebuilt) connection.db.exec(REBUILD)
    const store = build(connection, path, options, WATCHED_TABLES)
    // Temporary chats of a killed host. Nobody reads them from here on, and the purge removes every byte.
    store.sessions.endTemporary(store.sessions.temporary())
    forgetDamage(path)
    return { store, rebuilt }
  } catch (error) {
    connection?.db.close()
    // Remove a new file left unfinished by, say, a full disk: it would look like one that lost its content.
    if (isNew) for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true })
    if (isDamage(error)) return { damaged: BROKEN }
    if (isIncomplete(error)) return { damaged: INCOMPLETE }
    throw asFault(error, path)
  }
}

function build(
  connection: Connection,
  path: string,
  { clock, report }: StoreOptions,
  watched: Parameters<typeof watchTables>[1],
): Store {
  const messages = createMessages(connection)
  const memory = createMemoryStore(connection)
  const skills = createSkillStore(connection)
  const { prune, ...runs } = createRuns(connection, messages, clock)
  prune()
  const pages = createPageCleaner(connection)
  const branches = createBranches(connection, messages, clock)
  return {
    sessions: guardMethods(createSessions(connection, clock), path, report),
    projects: guardMethods(createProjects(connection, clock), path, report),
    delegations: guardMethods(createDelegations(connection), path, report),
    imports: guardMethods(createImports(connection, messages, branches, clock), path, report),
    messages: guardMethods(messages, path, report),
    branches: guardMethods(branches, path, report),
    fileChanges: guardMethods(createFileChanges(connection), path, report),
    attachments: guardMethods(createAttachments(connection), path, report),
    gateway: guardMethods(createGatewayStore(connection), path, report),
    agents: guardMethods(createAgentStore(connection), path, report),
    foreign: guardMethods(createForeignStore(connection), path, report),
    turns: guardMethods(createChatTurns(connection), path, report),
    marks: guardMethods(createMarks(connection), path, report),
    memory: guardMethods(memory, path, report),
    forgetting: guardMethods(createForgetStore(connection), path, report),
    mcp: guardMethods(createMcpStore(connection), path, report),
    skills: guardMethods(skills, path, report),
    learning: guardMethods(createLearningStore(connection, { memory, skills }), path, report),
    network: guardMethods(createNetworkStore(connection), path, report),
    usage: guardMethods(createUsageStore(connection), path, report),
    schedules: guardMethods(createScheduleStore(connection), path, report),
    contacts: guardMethods(createContactStore(connection), path, report),
    compactions: guardMethods(createCompactions(connection), path, report),
    recall: guardMethods(createRecallIndex(connection), path, report),
    runs: guardMethods(runs, path, report),
    purge: guardMethods(createPurges(connection), path, report),
    pages: guardMethods({ step: pages.step, sync: pages.sync }, path, report),
    ...guardMethods(createPlaceStore(connection), path, report),
    changes: watchTables(connection, watched),
    path,
    close() {
      connection.db.close()
      pages.close()
    },
  }
}
