import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileErrorCode } from '../../lib/expected-errors.ts'

/** Where projects keep instructions for agents. The first usable file is read; case does not matter. */
const MAIN = [
  'AGENTS.override.md',
  'AGENTS.md',
  'CLAUDE.md',
  '.claude/CLAUDE.md',
  'AGENT.md',
  'GEMINI.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.junie/guidelines.md',
  'QWEN.md',
  'CRUSH.md',
  'WARP.md',
]
/** Files with the user's own additions; they are read beside the first file. */
const LOCAL = ['AGENTS.local.md', 'CLAUDE.local.md']
/** Folders with rules for single programs, under their own conditions. They are only reported. */
const FOLDERS = [
  '.claude/rules',
  '.cursor/rules',
  '.windsurf/rules',
  '.github/instructions',
  '.roo/rules',
  '.kiro/steering',
  '.clinerules',
]

/** The files and folders for agents in one folder, as relative paths. */
export type InstructionNames = {
  /** In order of priority. */
  main: string[]
  local: string[]
  folders: string[]
}

type Listed = { name: string; isFolder: boolean }

/** Find the files and folders of a folder that are meant for agents, whatever their case. */
export async function instructionNames(folder: string): Promise<InstructionNames> {
  const within = new Map<string, Listed[]>([['', await list(folder)]])
  const found = async (path: string): Promise<Listed[]> => {
    const [first = '', second] = path.split('/')
    const here = spelt(within.get('')!, first)
    if (second === undefined) return here
    const all: Listed[] = []
    for (const { name, isFolder } of here) {
      if (!isFolder) continue
      if (!within.has(name)) within.set(name, await list(join(folder, name)))
      all.push(...spelt(within.get(name)!, second).map(each => ({ ...each, name: `${name}/${each.name}` })))
    }
    return all
  }
  const main: string[] = []
  // A folder with such a name is listed, so that it can be reported, unless it is a folder of rules.
  for (const path of MAIN)
    for (const { name, isFolder } of await found(path))
      if (!isFolder || !FOLDERS.includes(path)) main.push(name)
  const local = (await Promise.all(LOCAL.map(found))).flat().map(({ name }) => name)
  const folders: string[] = []
  for (const path of FOLDERS)
    for (const { name, isFolder } of await found(path))
      if (isFolder && (await list(join(folder, name))).length > 0) folders.push(name)
  return { main, local, folders }
}

/** The entries with this name in any case, the usual spelling first. */
const spelt = (entries: readonly Listed[], name: string): Listed[] =>
  entries
    .filter(each => each.name.toLowerCase() === name.toLowerCase())
    .toSorted((a, b) => Number(b.name === name) - Number(a.name === name) || (a.name < b.name ? -1 : 1))

/** List a folder. A link may count as a folder too, because its target is judged when it is read. */
async function list(folder: string): Promise<Listed[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.map(each => ({ name: each.name, isFolder: isFolder(each) }))
  } catch (error) {
    const code = fileErrorCode(error)
    // Entering a folder may be allowed although listing it is not.
    return code === 'EACCES' ? [...MAIN, ...LOCAL].map(name => ({ name, isFolder: false })) : []
  }
}

type Entry = { name: string; isDirectory(): boolean; isSymbolicLink(): boolean }
/** Links with these names lead to files; `.claude` and similar names may be a link to a folder. */
const isFolder = (entry: Entry): boolean =>
  entry.isDirectory() ||
  (entry.isSymbolicLink() && /^\.\w+$/.test(entry.name) && !entry.name.endsWith('rules'))
