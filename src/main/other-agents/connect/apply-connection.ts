import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Fault } from '../../../shared/rpc.ts'
import { isRefusal, parseJson } from '../../lib/expected-errors.ts'
import { writeKey, writeRecord, keyFile, type ConnectionRecord } from './connection-record.ts'
import type { Connector, ConnectInput, FileEdit, Places } from './connector.ts'
import { makeFolder, removeFolder, writeOwnFiles } from './own-files.ts'
import type { Planned } from './plan-connection.ts'
import { readFor } from './plan-connection.ts'
import { runCommand, typedCommand } from './run-program.ts'
import { missingAbove, readSettings, removeEmpty, sweepUnfinished, writeSettings } from './settings-file.ts'

/** The keys of connected programs, as far as connecting needs them. */
export type AgentKeys = {
  make(): { id: string; key: string }
  add(name: string, made: { id: string; key: string }): void
  has(id: string): boolean
  remove(id: string): void
}

export type Doing = {
  connector: Connector
  places: Places
  input: ConnectInput
  record: ConnectionRecord | undefined
  planned: Planned
  run: boolean
  keys: AgentKeys
  now(): number
}

/** What was done, a sentence each, and the commands that are left for the user. */
export type Done = { said: string[]; commands: string[] }

/**
 * Put Talaria into a program. The record is written before each step, so that after a kill at any moment connecting again or removing
 * comes out right.
 */
export async function connectProgram(doing: Doing): Promise<Done> {
  const { connector, places, input, planned, run, keys, now } = doing
  refuseObstacle(planned)
  makeFolder(input.folder)
  const files = connector.files(input)
  const names = files.map(({ name }) => name)
  const known = doing.record
  const isKnown = known !== undefined && keys.has(known.agentId) && existsSync(keyFile(input.folder))
  const made = isKnown ? undefined : keys.make()
  let record: ConnectionRecord = {
    v: 1,
    state: 'connecting',
    folder: input.folder,
    agentId: made?.id ?? known!.agentId,
    connectedAt: now(),
    names: [...new Set([...(known?.names ?? []), ...names])],
    edits: known?.edits ?? [],
    touched: known && known.touched.length > 0 ? known.touched : touchedNow(connector, places),
  }
  // The key is kept before the store knows it, so that a kill leaves no program in the list that nobody can speak for.
  if (made) {
    writeKey(input.folder, made.key)
    writeRecord(record)
    keys.add(connector.title, made)
  } else writeRecord(record)
  writeOwnFiles(input.folder, files, record.names)
  for (const edit of planned.edits) {
    record = {
      ...record,
      edits: [...record.edits.filter(({ path }) => path !== edit.path), await noted(edit, doing)],
    }
    writeRecord(record)
    const refused = writeSettings(edit.path, edit)
    if (refused)
      throw new Fault(
        'not_ready',
        `${refused.refused}. Connect again to finish it, or remove the connection.`,
      )
  }
  const { said, commands } = await runAll(doing, run)
  writeRecord({ ...record, names, state: 'connected' })
  return {
    said: [`Talaria wrote ${input.folder}.`, ...planned.edits.map(({ path }) => `Changed ${path}.`), ...said],
    commands,
  }
}

function refuseObstacle({ obstacle }: Planned): void {
  if (obstacle !== undefined) throw new Fault('not_ready', `${obstacle}. Nothing was done.`)
}

const touchedNow = (connector: Connector, places: Places): ConnectionRecord['touched'] =>
  (connector.touched?.(places) ?? []).flatMap(path => {
    const read = readSettings(path)
    return isRefusal(read) ? [] : [{ path, before: read.text ?? null }]
  })

/** A change as the record keeps it. What we had put in before does not count as what was there. */
async function noted(
  { path, before, after }: FileEdit,
  { connector, places, input, record }: Doing,
): Promise<ConnectionRecord['edits'][number]> {
  const earlier = record?.edits.find(each => each.path === path)
  if (earlier && earlier.after === (before ?? null)) return { ...earlier, after: after ?? null }
  const undone = await connector.undo(places, input, readFor([]))
  const without = undone.find(each => each.path === path)
  return {
    path,
    before: (without ? without.after : before) ?? null,
    after: after ?? null,
    made: [...(earlier?.made ?? []), ...missingAbove(path)],
  }
}

/** Take Talaria out of a program: its own commands first, then its files, then ours. */
export async function disconnectProgram(doing: Doing): Promise<Done> {
  const { input, planned, record, run, keys, connector } = doing
  refuseObstacle(planned)
  if (record) writeRecord({ ...record, state: 'removing' })
  const { said, commands } = await runAll(doing, run)
  for (const edit of planned.edits) {
    const refused = writeSettings(edit.path, edit)
    if (refused) throw new Fault('not_ready', `${refused.refused}. Remove the connection again to finish it.`)
    said.push(`Changed ${edit.path}.`)
  }
  for (const { path, made } of record?.edits ?? []) {
    sweepUnfinished(path)
    removeEmpty(made)
  }
  for (const { path, before } of record?.touched ?? [])
    if (giveBack(path, before ?? undefined)) said.push(`${path} is as it was before.`)
  if (record) keys.remove(record.agentId)
  // What was handed over and not read yet goes with the key that allowed it.
  rmSync(input.inbox, { recursive: true, force: true })
  removeEmpty([dirname(input.inbox)])
  removeFolder(input.folder)
  said.push(`Talaria was removed from ${connector.title}, and its key no longer works.`)
  return { said, commands }
}

/** Give a file its bytes back if nothing but empty objects tells it apart, which commands of programs leave behind. */
function giveBack(path: string, before: string | undefined): boolean {
  const now = readSettings(path)
  if (isRefusal(now) || now.text === undefined || now.text === before) return false
  const value = parseJson(now.text)
  const was = before === undefined ? {} : parseJson(before)
  if (!isPlain(value) || !isPlain(was)) return false
  const left = Object.entries(value).filter(
    ([name, inner]) => name in was || !isPlain(inner) || Object.keys(inner).length > 0,
  )
  if (!isDeepStrictEqual(Object.fromEntries(left), was)) return false
  return writeSettings(path, { before: now.text, after: before }) === undefined
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Run the commands of the plan, up to the first that fails; those are left for the user, as are all of them if none may run. */
async function runAll({ planned: { program, commands }, places }: Doing, run: boolean): Promise<Done> {
  const typed = commands.map(words => typedCommand(words))
  if (!run || program === undefined) return { said: [], commands: typed }
  const said: string[] = []
  const left: string[] = []
  for (const [index, [, ...args]] of commands.entries()) {
    const { ok, output } = await runCommand(program, args, places)
    said.push(`${typed[index]!}: ${ok ? '' : 'failed. '}${output || 'done'}`)
    if (!ok) left.push(typed[index]!)
  }
  return { said, commands: left }
}
