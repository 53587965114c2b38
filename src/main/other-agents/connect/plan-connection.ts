import { structuredPatch } from 'diff'
import type { ConnectPlan } from '../../../shared/contract/connections/connect.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { redactText } from '../../untrusted/redact.ts'
import { hashShown } from '../../lib/shown-hash.ts'
import type { ConnectionRecord } from './connection-record.ts'
import type { Connector, ConnectInput, FileEdit, Places } from './connector.ts'
import { typedCommand } from './run-program.ts'
import { readSettings, whyUnwritable } from './settings-file.ts'

export type What = 'connect' | 'remove'

/** What connecting or removing would do, with what only the host needs. */
export type Planned = {
  plan: ConnectPlan
  edits: FileEdit[]
  commands: string[][]
  /** The program’s file to run; undefined where it was not found. */
  program: string | undefined
  /** Why nothing of it can be done; undefined where nothing speaks against it. */
  obstacle: string | undefined
}

type Given = {
  what: What
  connector: Connector
  places: Places
  input: ConnectInput
  record: ConnectionRecord | undefined
}

/** Plan to put Talaria into a program, or to take it out. Nothing is written. */
export async function planConnection(given: Given): Promise<Planned> {
  const { what, connector, places, input, record } = given
  const program = await connector.find(places)
  const commands = connector.commands(input, what)
  const files = what === 'connect' ? connector.files(input) : []
  const refused: string[] = []
  const read = readFor(refused)
  const edits = what === 'connect' ? await connector.edits(places, input, read) : await undoEdits(given, read)
  const obstacle = [...refused, ...edits.flatMap(({ path }) => whyUnwritable(path) ?? [])][0]
  const notes = [
    ...edits.flatMap(({ path }) => linkNote(path)),
    ...(obstacle === undefined ? [] : [`Nothing can be done: ${obstacle}.`]),
    ...(program === undefined && commands.length > 0
      ? [`${connector.title} was not found on this computer. Type its commands where you have it.`]
      : []),
  ]
  const shown = {
    program: connector.program,
    folder: input.folder,
    files,
    changes: edits.map(({ path, before, after }) => ({ path, diff: redactText(showDiff(before, after)) })),
    commands: commands.map(words => typedCommand(words)),
    canRun: program !== undefined && commands.length > 0,
    notes,
  }
  const seen = hashShown({ what, shown, edits, program, state: record?.state ?? 'off' })
  return { plan: { ...shown, seen }, edits, commands, program, obstacle }
}

/** What a connector reads; what cannot be read counts as missing, and is told. */
export const readFor =
  (refused: string[]) =>
  async (path: string): Promise<string | undefined> => {
    const read = readSettings(path)
    if (!isRefusal(read)) return read.text
    refused.push(read.refused)
    return undefined
  }

/** The changes of files undone: to the bytes from before where nobody touched them since, else only our part goes. */
async function undoEdits(
  { connector, places, input, record }: Given,
  read: (path: string) => Promise<string | undefined>,
): Promise<FileEdit[]> {
  const back: FileEdit[] = []
  for (const { path, before, after } of record?.edits ?? []) {
    const now = await read(path)
    if (now === (after ?? undefined) && before !== after)
      back.push({ path, before: now, after: before ?? undefined })
  }
  const known = new Set(back.map(({ path }) => path))
  const others = await connector.undo(places, input, read)
  return [...back, ...others.filter(({ path, before, after }) => !known.has(path) && before !== after)]
}

function linkNote(path: string): string[] {
  const read = readSettings(path)
  return isRefusal(read) || read.target === undefined
    ? []
    : [`${path} is a link. Talaria changes the file that it points to, ${read.target}, and keeps the link.`]
}

function showDiff(before: string | undefined, after: string | undefined): string {
  const { hunks } = structuredPatch('', '', before ?? '', after ?? '', '', '', { context: 3 })
  return hunks
    .flatMap(({ lines }, index) => [...(index === 0 ? [] : [' …']), ...lines])
    .filter(line => !line.startsWith('\\'))
    .join('\n')
}
