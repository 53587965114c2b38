import { join } from 'node:path'
import type { DataProgress, ExportFormat, LeftOut } from '../../../shared/contract/data.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'
import { resolveHome } from '../../config/home.ts'
import { findOtherComputer, forgetComputer } from '../../config/computer-mark.ts'
import { absolutePath, currentFolder } from '../command-line.ts'
import { chatNamed } from '../find-item.ts'
import { TWICE, withClient } from '../open-client.ts'
import { formatBytes } from '../../../shared/text/amounts.ts'
import { dayOf, escapeInvisible, many, momentOf, printAside, printLine } from '../output/terminal-text.ts'
import { stopOnSignals } from '../stop-on-signals.ts'

type Common = { home?: string; json?: true }

/** Print the size of every part of the home folder. */
export async function dataSize({ home, json }: Common): Promise<void> {
  const sizes = await withClient(home, client => client['data.sizes']({}), TWICE)
  if (json) return printLine(jsonLine(sizes))
  const width = Math.max(...sizes.parts.map(({ title }) => title.length))
  const row = (title: string, bytes: number) => `${title.padEnd(width)}  ${formatBytes(bytes).padStart(9)}`
  printLine(
    [
      escapeInvisible(sizes.home),
      ...sizes.parts.map(({ title, bytes }) => row(title, bytes)),
      row('Everything', sizes.bytes),
    ].join('\n'),
  )
}

/** Take over the home folder from another computer, so that the next command may write to it again. */
export async function takeOver({ home: given, json }: Common): Promise<void> {
  const home = resolveHome(given)
  const other = findOtherComputer(home, { now: Date.now })
  forgetComputer(home)
  if (json) return printLine(jsonLine({ home, takenFrom: other?.name ?? null }))
  printLine(
    other
      ? `${escapeInvisible(home)} was open on ${escapeInvisible(other.name)} and is free now. Do not open it there again until both computers have the same files.`
      : `${escapeInvisible(home)} is not open on another computer.`,
  )
}

const KINDS = {
  daily: 'daily backup',
  update: 'before an update',
  damaged: 'damaged file',
  settings: 'earlier settings',
  other: 'other file',
} as const

/** Print the backups in the home folder, newest first. */
export async function dataBackups({ home, json }: Common): Promise<void> {
  const found = await withClient(home, client => client['data.backups']({}), TWICE)
  if (json) return printLine(jsonLine(found))
  const lines = found.backups.map(
    ({ path, kind, at, bytes }) =>
      `${momentOf(at)}  ${formatBytes(bytes).padStart(9)}  ${KINDS[kind].padEnd(16)}  ${escapeInvisible(path)}`,
  )
  printLine(
    lines.length === 0 ? 'There are no backups yet. The first is made within a day.' : lines.join('\n'),
  )
  if (found.trouble !== null) printAside(`The last daily backup failed. ${found.trouble}`)
}

export type ExportOptions = Common & {
  format: ExportFormat
  branches: 'path' | 'all'
  toolOutput: boolean
  chat?: string
  output?: string
  force?: true
}

const ENDINGS: Record<ExportFormat, string> = { markdown: 'md', json: 'json', html: 'html' }

/** Export chats to a file. Resolves to whether they were written. */
export function dataExport(options: ExportOptions): Promise<boolean> {
  const { home, json, format, branches, toolOutput: tools, chat, output, force } = options
  return untilStopped(async signal => {
    const path = fileOf(output, `talaria-chats-${dayOf(Date.now())}.${ENDINGS[format]}`)
    await withClient(home, async client => {
      const id = chat === undefined ? {} : { chat: (await chatNamed(client, chat)).id }
      const events = client['data.export'](
        { path, format, branches, tools, replace: force ?? false, ...id },
        { signal },
      )
      const done = await followProgress(events, json)
      if (done && !json)
        printLine(
          `Exported ${many(done.chats, 'chat')} with ${many(done.messages, 'message')} to ${escapeInvisible(done.path)}, ${formatBytes(done.bytes)}.`,
        )
    })
  })
}

export type BackupOptions = Common & { output?: string; withKeys?: true; workspace: boolean }

/** Write a backup. Resolves to whether it was written. */
export function dataBackup({ home, json, output, withKeys, workspace }: BackupOptions): Promise<boolean> {
  return untilStopped(async signal => {
    const path = fileOf(output, `talaria-backup-${dayOf(Date.now())}.zip`)
    await withClient(home, async client => {
      const events = client['data.backup']({ path, keys: withKeys ?? false, files: workspace }, { signal })
      const done = await followProgress(events, json)
      if (!done || json) return
      printLine(
        `Backed up ${many(done.chats, 'chat')} and everything else to ${escapeInvisible(done.path)}, ${formatBytes(done.bytes)}. The file was read back and checked.`,
      )
      for (const line of leftOutLines(done.leftOut)) printLine(line)
    })
  })
}

/** Maximum number of paths to list per reason. */
const LISTED = 10

/** List the files that are missing from a backup, by reason. */
function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  return Object.entries(Object.groupBy(leftOut, ({ why }) => why)).map(([why, files = []]) => {
    const names = files.slice(0, LISTED).map(({ path }) => escapeInvisible(path))
    const more = files.length > LISTED ? ` and ${files.length - LISTED} more` : ''
    return `Left out: ${names.join(', ')}${more} (${escapeInvisible(why)}).`
  })
}

const fileOf = (given: string | undefined, name: string) =>
  given === undefined ? join(currentFolder(), name) : absolutePath(given)

/** Run `work` until it ends or a signal stops it. Resolves to whether it ended. */
async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
  using stopping = stopOnSignals()
  try {
    await work(stopping.signal)
    return true
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    printAside('Stopped. No incomplete file is left.')
    return false
  }
}

const STEPS: Record<DataProgress['step'], string> = {
  copying: 'Copying the database',
  packing: 'Packing',
  checking: 'Reading it back',
  unpacking: 'Unpacking',
  writing: 'Writing',
}

/** Show progress in one line of the terminal. Resolves to the final event. */
async function followProgress<Done extends { type: 'done' }>(
  events: AsyncIterable<DataProgress | Done>,
  json: true | undefined,
): Promise<Done | undefined> {
  let done: Done | undefined
  const isShown = !json && process.stderr.isTTY
  for await (const event of events) {
    if (json) printLine(jsonLine(event))
    if (event.type === 'done') done = event
    else if (isShown)
      process.stderr.write(`\r\u001b[K${STEPS[event.step]}: ${Math.floor(event.share * 100)} %`)
  }
  if (isShown) process.stderr.write('\r\u001b[K')
  return done
}

/**
 * Restore a backup into a new home folder, without a host, because the usual home folder may be damaged.
 * Resolves to whether the backup was restored.
 */
export function restoreHome(given: string, newHome: string, { json }: { json?: true }): Promise<boolean> {
  return untilStopped(async signal => {
    // Only this command reads backups in its own process.
    const [{ openBackup }, { restoreBackup }] = await Promise.all([
      import('../../data/backup/read-backup.ts'),
      import('../../data/backup/restore-backup.ts'),
    ])
    const path = absolutePath(given)
    const folder = absolutePath(newHome)
    const { manifest, stamp } = await openBackup(path)
    if (!json)
      printAside(
        `A backup of ${escapeInvisible(manifest.home)} from ${momentOf(manifest.createdAt)} with ${many(manifest.chats.length, 'chat')}${manifest.hasKeys ? ' and keys' : ', without keys'}.`,
      )
    const done = await followProgress(restoreBackup({ path, folder, stamp }, signal), json)
    if (!done || json) return
    const named = escapeInvisible(done.folder)
    printLine(`Restored into ${named}. Your other home folder was not changed.`)
    printLine(`Start Talaria with it: talaria chat --home '${named}', or set TALARIA_HOME to this folder.`)
    printLine('A backup does not include model files: add them again, or copy the models folder.')
  })
}
