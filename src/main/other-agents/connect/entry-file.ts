import { Fault } from '../../../shared/rpc.ts'
import type { ConnectInput, FileEdit } from './connector.ts'

type Read = (path: string) => Promise<string | undefined>

/** The first words of every file that we put into another program's folder. */
const BEGINS = '// Talaria put this file here.'

/**
 * Return the text of an entry file, which another program reads at its start. It only points to our own
 * folder, so it never needs changing; if that folder is gone, it does nothing.
 */
export const writeEntry = (takenOutBy: string, code: string): string =>
  `${BEGINS} It goes with: ${takenOutBy}\n${code}\n`

/** Add the entry file at the first of these paths that is not a file of the user's. */
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

/** Remove our entry. Text that the user added stays, and a file that is no longer ours stays unchanged. */
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

/** Return the files next to a script of ours: the launch of our MCP server, and the offered skills. */
export const sharedFiles = ({ label, launch, skills }: ConnectInput): { name: string; text: string }[] => [
  { name: 'mcp.json', text: `${JSON.stringify({ name: label, ...launch }, null, 2)}\n` },
  ...skills.flatMap(({ name, files }) =>
    files.map(file => ({ name: `skills/${name}/${file.name}`, text: file.text })),
  ),
]
