import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHost } from '../../src/main/host.ts'
import type { Host } from '../../src/main/app/host-types.ts'
import { openConfinement } from '../../src/main/confinement/open-confinement.ts'
import type { ConfinementState } from '../../src/main/confinement/probe-confinement.ts'
import { openConnection, type Connection } from '../../src/main/db/connection.ts'
import { openStore, type Store } from '../../src/main/db/store.ts'
import { giveDatabase } from '../db/give-database.ts'
import { aPhone, folderKind } from '../gateway/folder-platform.ts'
import { write, type Place, type Served } from './place.ts'
import type { HostStart, PhoneUse, Seeding } from './protocol.ts'
import { seeds } from './seeds.ts'
import { smallWeb } from './small-web.ts'

const misbehaving = fileURLToPath(new URL('../mcp/misbehaving-server.ts', import.meta.url))

// In memory where possible: the tests are about what is written, not how fast a disk flushes.
const root = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** The host of one test; `close` removes everything. */
export type KeptHost = {
  host: Host
  place: Place
  seed(seeding: Seeding): unknown
  usePhone(use: PhoneUse): readonly string[]
  close(): Promise<void>
}

/** Tested once for all hosts, because the test starts several programs. */
let confinement: Promise<ConfinementState> | undefined
const knownConfinement = () => (confinement ??= openConfinement({ home: root, readable: () => [] }).state())

/** Create the home folder for a test, and start the real host on it. */
export async function keepHost(start: HostStart, served: Served): Promise<KeptHost> {
  const parent = realpathSync(mkdtempSync(join(root, 'talaria-window-')))
  const home = join(parent, 'home')
  const workspace = join(parent, 'notes')
  const bundled = join(parent, 'bundled')
  for (const folder of [home, workspace, bundled]) mkdirSync(folder)
  // JSON is valid YAML. A test refers to its folders before they exist.
  const config = JSON.stringify(configOf(start, served.modelUrl))
    .replaceAll('$home', home)
    .replaceAll('$workspace', workspace)
    .replaceAll('$node', process.execPath)
    .replaceAll('$misbehaving', misbehaving)
  write(home, { 'config.yaml': config, ...start.homeFiles })
  write(workspace, start.workspaceFiles ?? {})
  giveDatabase(home)
  // Opened on demand: most tests do not need the store, and opening it takes as long as the rest of a host.
  let opened: Store | undefined
  let connection: Connection | undefined
  let now: number | undefined
  let host: Host | undefined
  const closing: (() => void)[] = []
  const place: Place = {
    home,
    workspace,
    bundled,
    get store() {
      return (opened ??= openStore(home, { clock: Date.now, report: () => {} }).store)
    },
    served,
    get db() {
      return (connection ??= openConnection(join(home, 'state.db'))).db
    },
    setClock(time) {
      now = time
      host?.lookAtClock()
    },
    onClose: each => void closing.push(each),
  }
  const messenger = join(parent, 'messenger')
  const usePhone = ({ who, group, writes, presses }: PhoneUse) => {
    const phone = aPhone(messenger, who, group && { ...group, kind: 'group', chatId: group.key })
    if (writes !== undefined) phone.writes(writes)
    if (presses !== undefined) phone.presses(presses)
    return phone.texts()
  }
  const seed = ({ seed: name, input }: Seeding) =>
    (seeds[name] as (at: Place, given: unknown) => unknown)(place, input)
  const dispose = () => {
    for (const each of closing) each()
    connection?.db.close()
    opened?.close()
    rmSync(parent, { recursive: true, force: true })
  }
  try {
    for (const seeding of start.seeds ?? []) seed(seeding)
    const started = (host = await createHost({
      hosting: 'headless',
      home,
      workspace,
      bundledSkills: bundled,
      confinement: knownConfinement,
      web: smallWeb,
      now: () => now ?? Date.now(),
      ...(start.filledBy !== undefined && { roomIn: roomBeside(join(home, start.filledBy)) }),
      ...(start.messenger && { gateway: { platforms: [telegramIn(messenger)], joinMs: 15, waitMs: 20 } }),
      ...(now !== undefined && { zone: () => 'Europe/Berlin' }),
    }))
    const close = async () => {
      await started.close()
      dispose()
    }
    return { host: started, place, seed, usePhone, close }
  } catch (error) {
    dispose()
    throw error
  }
}

const roomBeside = (file: string) => () => (existsSync(file) ? 4_096 : 1e9)

const telegramIn = (folder: string) =>
  folderKind(folder, { name: 'telegram', title: 'Telegram', keyName: 'TELEGRAM_BOT_TOKEN', isAlone: true })

/** A home past its first run, with a served model, and without features that send requests on their own. */
function configOf({ config = {} }: HostStart, modelUrl: string): Record<string, unknown> {
  const served = { id: 'served', name: 'Served model', base_url: modelUrl, model: 'qwen3-8b' }
  const standard: Record<string, Record<string, unknown>> = {
    ui: { setup_done: true },
    models: { default: 'server:served', servers: [{ ...served, context_tokens: 32_768 }] },
    learning: { mode: 'off' },
  }
  const groups = new Set([...Object.keys(standard), ...Object.keys(config)])
  return Object.fromEntries([...groups].map(name => [name, { ...standard[name], ...config[name] }]))
}
