import { Fault } from '../../../shared/rpc.ts'
import type { ConnectInput, FileEdit } from './connector.ts'

type Read = (path: string) => Promise<string | undefined>

/** Every file that we put into a folder of another program begins so. */
const BEGINS = '// Talaria put this file here.'

/**
 * The text of a file of ours in a folder that another program reads at its start. It only points at our own folder, so that nothing has
 * to be changed there again; where that folder is gone, it does nothing.
 */
export const writeEntry = (takenOutBy: string, code: string): string =>
  `${BEGINS} It goes with: ${takenOutBy}\n${code}\n`

/** Put a file of ours there. A file of the user with its name is a `conflict` Fault. */
export async function addEntry(path: string, text: string, read: Read): Promise<FileEdit[]> {
  const before = await read(path)
  if (before === text) return []
  if (before !== undefined && !before.startsWith(BEGINS))
    throw new Fault('conflict', `${path} is not of Talaria. Move or rename it, then connect again.`)
  return [{ path, before, after: text }]
}

/** Take it out. What the user wrote into it stays; a file that is not ours any more stays whole. */
export async function dropEntry(path: string, text: string, read: Read): Promise<FileEdit[]> {
  const before = await read(path)
  if (before === undefined) return []
  const ours = [text, text.replaceAll('\n', '\r\n')].find(each => before.includes(each))
  if (ours === undefined) return []
  const rest = before.replace(ours, () => '')
  return [{ path, before, after: rest.trim() === '' ? undefined : rest }]
}

/** What lies beside a script of ours: how our MCP server is started, and the skills that may be offered. */
export const sharedFiles = ({ label, launch, skills }: ConnectInput): { name: string; text: string }[] => [
  { name: 'mcp.json', text: `${JSON.stringify({ name: label, ...launch }, null, 2)}\n` },
  ...skills.flatMap(({ name, files }) =>
    files.map(file => ({ name: `skills/${name}/${file.name}`, text: file.text })),
  ),
]
