import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { MAY_NOTHING, type ConnectedAgent } from '../../../shared/contract/connections/agents.ts'
import type { Connection, ConnectProgram } from '../../../shared/contract/connections/connect.ts'
import type { HostHandlers } from '../../../shared/contract/index.ts'
import { refuseUnseen } from '../../../shared/contract/seen.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { ForeignStore } from '../../db/learning/foreign-tables.ts'
import { writeAtomic } from '../../lib/disk/durable-files.ts'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { debounce } from '../../lib/timing.ts'
import { connectProgram, disconnectProgram, type AgentKeys } from './apply-connection.ts'
import { keyFile, readRecord, writeRecord, type ConnectionRecord } from './connection-record.ts'
import type { Connector, ConnectInput, Launch, Places, SharedSkillFolder } from './connector.ts'
import { KEY_FILE } from './launch.ts'
import { changedFiles, dropLinks, writeOwnFiles } from './own-files.ts'
import { planConnection, readFor, type What } from './plan-connection.ts'
import { readSettings } from './settings-file.ts'
import { makeSnapshot, type SharedMemory } from './snapshot.ts'

type Parts = {
  connectors: readonly Connector[]
  places: Places
  /** How to start Talaria’s terminal here, without arguments. */
  terminal: Omit<Launch, 'env'>
  node: string
  label: string
  version: string
  foreign: Pick<ForeignStore, 'totals'>
  keys: AgentKeys
  agent(id: string): Pick<ConnectedAgent, 'allowed' | 'may'> | undefined
  memory(): SharedMemory
  /** Return the skills that other programs may get. */
  skills(): Promise<readonly SharedSkillFolder[]>
  isLocked(): boolean
  onChange(): void
  now(): number
  report(error: unknown): void
}

const DAY_MS = 24 * 60 * 60_000
/** Report a connection after so many days without an event. */
const QUIET_DAYS = 7

/** Connect and disconnect other programs after the user saw the plan, and update their shared data. */
export function openConnect(parts: Parts) {
  const { connectors, places, foreign, keys, now } = parts
  /** The queue of jobs; two at a time would write the same files. */
  let queue: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work, work)
    queue = done.catch(() => undefined)
    return done
  }

  const folderOf = (program: ConnectProgram) => join(places.home, 'connect', program)

  /** Return the current rights of a connected program. */
  function mayOf(record: ConnectionRecord | undefined) {
    const agent = record && parts.agent(record.agentId)
    return agent?.allowed ? agent.may : MAY_NOTHING
  }

  async function inputOf(
    { program }: Connector,
    record: ConnectionRecord | undefined,
  ): Promise<ConnectInput> {
    const folder = folderOf(program)
    const { command, args } = parts.terminal
    return {
      folder,
      inbox: join(places.home, 'inbox', program),
      snapshot: join(folder, 'snapshot.json'),
      launch: {
        command,
        args: [...args, 'mcp', 'serve', '--home', places.home],
        env: { [KEY_FILE]: keyFile(folder) },
      },
      node: parts.node,
      label: parts.label,
      skills: mayOf(record).skills && !parts.isLocked() ? await parts.skills() : [],
      version: parts.version,
    }
  }

  async function lookAt(program: ConnectProgram) {
    const connector = connectors.find(each => each.program === program)
    if (!connector) throw new Fault('not_found', `Talaria cannot be connected to ${program} yet.`)
    const record = readRecord(folderOf(program))
    return { connector, record, input: await inputOf(connector, record) }
  }

  async function planOf(program: ConnectProgram, what: What) {
    const looked = await lookAt(program)
    return { ...looked, planned: await planConnection({ ...looked, what, places }) }
  }

  /** Update what a connected program reads: the snapshot and the skills. */
  async function refresh(connector: Connector): Promise<boolean> {
    const folder = folderOf(connector.program)
    const record = readRecord(folder)
    if (record?.state !== 'connected') return false
    const input = await inputOf(connector, record)
    const files = connector.files(input)
    const names = files.map(({ name }) => name)
    const all = [...new Set([...record.names, ...names])]
    if (all.length !== record.names.length) writeRecord({ ...record, names: all })
    const changed = writeOwnFiles(folder, files, all)
    if (all.length !== names.length || all.length !== record.names.length) writeRecord({ ...record, names })
    return writeSnapshot(record, input, names) || changed
  }

  function writeSnapshot(record: ConnectionRecord, input: ConnectInput, names: readonly string[]): boolean {
    const skills = names.flatMap(name => {
      const [, found] = /^((?:.*\/)?skills\/[^/]+)\/SKILL\.md$/.exec(name) ?? []
      return found === undefined ? [] : [join(input.folder, ...found.split('/'))]
    })
    const { inbox, snapshot } = input
    const given = { may: mayOf(record), isLocked: parts.isLocked(), inbox, skills }
    const text = `${JSON.stringify(makeSnapshot(parts.memory(), given))}\n`
    dropLinks(input.folder, snapshot)
    const known = readSettings(snapshot)
    if ('text' in known && known.text === text) return false
    writeAtomic(snapshot, text, { mode: 0o600 })
    return true
  }

  async function refreshAll(): Promise<void> {
    for (const connector of connectors)
      try {
        await refresh(connector)
      } catch (error) {
        hush(connector)
        parts.report(error)
      }
  }

  /** Remove the snapshot after a failed update: better share nothing than what is no longer allowed. */
  function hush({ program }: Connector): void {
    try {
      rmSync(join(folderOf(program), 'snapshot.json'), { force: true })
    } catch (error) {
      fileErrorCode(error)
    }
  }

  async function show(connector: Connector, isFound?: boolean): Promise<Connection> {
    const { program, title } = connector
    const record = readRecord(folderOf(program))
    const total = foreign.totals().find(({ agent }) => agent === program)
    const shown = {
      program,
      title,
      isInstalled: isFound ?? (await connector.find(places)) !== undefined,
      lastEventAt: total?.lastAt ?? null,
      sessions: total?.sessions ?? 0,
      events: total?.events ?? 0,
    }
    if (!record) return { ...shown, state: 'off', agentId: null, folder: null, connectedAt: null, note: '' }
    const wrong = await whatIsWrong(connector, record)
    const agentId = keys.has(record.agentId) ? record.agentId : null
    const state = wrong === undefined ? 'connected' : 'changed'
    const { folder, connectedAt } = record
    const note = wrong ?? standingNote(connector, record, shown.lastEventAt)
    return { ...shown, state, agentId, folder, connectedAt, note }
  }

  async function whatIsWrong(connector: Connector, record: ConnectionRecord): Promise<string | undefined> {
    const { title } = connector
    if (record.state === 'connecting')
      return 'Connecting was interrupted. Connect again to finish it, or remove it.'
    if (record.state === 'removing') return 'Removing was interrupted. Remove it again to finish.'
    if (!keys.has(record.agentId))
      return `Its key was removed here, so ${title} gets nothing. Connect it again, or remove it there too.`
    const input = await inputOf(connector, record)
    const [changed] = changedFiles(
      record.folder,
      // Without skills, which are updated a moment later.
      connector.files(input).filter(({ name }) => !/(?:^|\/)skills\//.test(name)),
    )
    if (changed !== undefined)
      return `Its file ${changed} was changed or is from an older version. Connect it again.`
    const refused: string[] = []
    const read = readFor(refused)
    const [edit] = await connector.edits(places, input, read)
    if (refused[0] !== undefined) return `${refused[0]}.`
    if (edit)
      return `The part of ${edit.path} that Talaria added was changed. Connect it again, or remove it.`
    return await connector.missing?.(places, input, read)
  }

  function standingNote(connector: Connector, record: ConnectionRecord, lastAt: number | null): string {
    const agent = parts.agent(record.agentId)
    if (!agent?.allowed)
      return `${connector.title} can read nothing, and Talaria learns nothing from it, until you allow it in the window: Connections, Agents.`
    if (!agent.may.learn || now() - Math.max(lastAt ?? 0, record.connectedAt) < QUIET_DAYS * DAY_MS) return ''
    return `No events for ${QUIET_DAYS} days. ${connector.whenQuiet ?? ''}`.trim()
  }

  let isDirty = false
  const soon = debounce(
    () => {
      isDirty = false
      void inTurn(refreshAll)
    },
    { idleMs: 300, maxMs: 2_000 },
  )
  // Catch up with changes made while Talaria was not running.
  soon.request()
  return {
    handlers: {
      'connect.list': async () => ({ connections: await Promise.all(connectors.map(each => show(each))) }),
      'connect.plan': async ({ program, what }) => (await planOf(program, what)).planned.plan,
      'connect.apply': ({ program, what, seen, run }) =>
        inTurn(async () => {
          const planned = await planOf(program, what)
          refuseUnseen(seen, planned.planned.plan.seen, 'What would be done')
          const doing = { ...planned, places, run, keys, now }
          const done = await (what === 'connect' ? connectProgram(doing) : disconnectProgram(doing))
          if (what === 'connect') await refresh(planned.connector)
          parts.onChange()
          const connection = await show(planned.connector, planned.planned.program !== undefined)
          return { connection, ...done }
        }),
    } satisfies Partial<HostHandlers>,
    /** Return whether a program's events may be learned from; undefined if it is not connected. */
    mayLearn(program: string): boolean | undefined {
      const known = connectors.find(each => each.program === program)
      const record = known && readRecord(folderOf(known.program))
      return record && mayOf(record).learn
    },
    /** Update the snapshots soon, because shared data has changed. */
    changed() {
      isDirty = true
      soon.request()
    },
    /** Finish pending updates: a terminal command may end before they have run. */
    async close() {
      soon.cancel()
      if (isDirty) void inTurn(refreshAll)
      await queue
    },
  }
}
