import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileErrorCode } from '../../lib/expected-errors.ts'

/** Where projects keep instructions for agents. The first that can be used is read; upper and lower case are the same. */
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
/** What the person adds for themselves; it is read beside the first. */
const LOCAL = ['AGENTS.local.md', 'CLAUDE.local.md']
/** Folders of rules for single programs, which have their own conditions. They are only named as not used. */
const FOLDERS = [
  '.claude/rules',
  '.cursor/rules',
  '.windsurf/rules',
  '.github/instructions',
  '.roo/rules',
  '.kiro/steering',
  '.clinerules',
]

/** What a folder has for agents, as paths in it. */
export type InstructionNames = {
  /** By priority. */
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
  // A folder of that name is left to be said, unless it is one of rules.
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

/** The entries of one name in any case, the usual spelling first. */
const spelt = (entries: readonly Listed[], name: string): Listed[] =>
  entries
    .filter(each => each.name.toLowerCase() === name.toLowerCase())
    .toSorted((a, b) => Number(b.name === name) - Number(a.name === name) || (a.name < b.name ? -1 : 1))

/** What is in a folder. A link counts as a folder too, as its target is judged when it is read. */
async function list(folder: string): Promise<Listed[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.map(each => ({ name: each.name, isFolder: isFolder(each) }))
  } catch (error) {
    const code = fileErrorCode(error)
    // Entering may be allowed where listing is not.
    return code === 'EACCES' ? [...MAIN, ...LOCAL].map(name => ({ name, isFolder: false })) : []
  }
}

type Entry = { name: string; isDirectory(): boolean; isSymbolicLink(): boolean }
/** Links among these names lead to files; `.claude` and the like may be a link to a folder. */
const isFolder = (entry: Entry): boolean =>
  entry.isDirectory() ||
  (entry.isSymbolicLink() && /^\.\w+$/.test(entry.name) && !entry.name.endsWith('rules'))
