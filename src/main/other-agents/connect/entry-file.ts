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

/** Put it at the first of these paths that no file of the user has. */
export async function addEntry(paths: readonly string[], text: string, read: Read): Promise<FileEdit[]> {
  for (const path of paths) {
    const before = await read(path)
    if (before === text) return []
    if (before === undefined || before.startsWith(BEGINS)) return [{ path, before, after: text }]
  }
  throw new Fault(
    'conflict',
    `${paths.join(' and ')} were not made by Talaria. Move one of them, then connect again.`,
  )
}

/** Take it out. What the user wrote into it stays; a file that is not ours any more stays whole. */
export async function dropEntry(paths: readonly string[], text: string, read: Read): Promise<FileEdit[]> {
  const edits = await Promise.all(
    paths.map(async path => {
      const before = await read(path)
      const ours = [text, text.replaceAll('\n', '\r\n')].find(each => before?.includes(each))
      if (before === undefined || ours === undefined) return []
      const rest = before.replace(ours, () => '')
      return [{ path, before, after: rest.trim() === '' ? undefined : rest }]
    }),
  )
  return edits.flat()
}

/** What lies beside a script of ours: how our MCP server is started, and the skills that may be offered. */
export const sharedFiles = ({ label, launch, skills }: ConnectInput): { name: string; text: string }[] => [
  { name: 'mcp.json', text: `${JSON.stringify({ name: label, ...launch }, null, 2)}\n` },
  ...skills.flatMap(({ name, files }) =>
    files.map(file => ({ name: `skills/${name}/${file.name}`, text: file.text })),
  ),
]
