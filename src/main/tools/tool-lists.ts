import type { SpawnReader } from '../documents/read-document.ts'
import { listFiles } from './files/list-files.ts'
import { patchFile } from './files/patch-file.ts'
import { readFileTool } from './files/read-file.ts'
import { searchFiles } from './search/search-files.ts'
import type { Processes } from '../processes/open-processes.ts'
import { terminalWithBackground } from './terminal/background-terminal.ts'
import { terminalTool } from './terminal/terminal.ts'
import type { Tool } from './registry/tool.ts'
import type { ToolsetEntry } from './registry/toolsets.ts'
import { writeFile } from './files/write-file.ts'
import { MIXTURE_TOOLSET } from './registry/toolsets.ts'
import { askUserTool } from './ask-user.ts'
import { todoTool, type LatestResult } from './todo.ts'

/** The tools of every chat. `processes` runs background processes; `spawn` starts the document reader. */
export const coreTools = (
  config: { timeout_s: number; result_limit?: number },
  processes?: Processes,
  spawn?: SpawnReader,
): Tool[] => [
  processes ? terminalWithBackground(config, processes) : terminalTool(config),
  readFileTool({ ...config, spawn }),
  writeFile,
  patchFile,
  listFiles,
  searchFiles(),
]

/** The tools for the plan of a turn and for questions to the user. */
export const planTools = (latestResult: LatestResult): Tool[] => [todoTool(latestResult), askUserTool]

/**
 * The toolsets that come with Talaria. A feature with its own toolset adds one entry. In a small prompt the
 * first toolsets are kept first.
 */
export const TOOLSETS: readonly ToolsetEntry[] = [
  { name: 'files', title: 'Files', says: 'Reads, writes, lists and searches files.', fromTokens: 0 },
  { name: 'terminal', title: 'Terminal', says: 'Runs commands.', fromTokens: 0 },
  // The user switched this toolset on, so it should not be left out first.
  { name: 'web', title: 'Web', says: 'Searches the web and reads its pages.', fromTokens: 0, byChoice: true },
  {
    name: 'memory',
    title: 'Memory',
    says: 'Saves what lasts, and searches past chats.',
    fromTokens: 0,
  },
  { name: 'skills', title: 'Skills', says: 'Finds, loads and writes skills.', fromTokens: 0 },
  {
    name: 'plan',
    title: 'Plan and questions',
    says: 'Keeps a plan of long work, and asks you.',
    fromTokens: 0,
  },
  {
    name: 'delegation',
    title: 'Sub-agents',
    says: 'Gives tasks to sub-agents, which work alone and report back.',
    fromTokens: 16_000,
  },
  {
    name: 'schedules',
    title: 'Schedules',
    says: 'Lets tasks run by themselves, after asking you.',
    // At 16,000 tokens this toolset would shorten all others.
    fromTokens: 32_000,
  },
  {
    name: MIXTURE_TOOLSET,
    title: 'Other models',
    says: 'Puts a hard question to the models of a mixture, and reads their combined answer.',
    fromTokens: 0,
    byChoice: true,
  },
]
