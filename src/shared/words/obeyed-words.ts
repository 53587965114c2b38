import { listNames } from '../text/amounts.ts'
import { fillText } from '../text/fill-template.ts'
import type { ObeyedChange } from '../contract/chats/messages.ts'
import type { Approval } from '../contract/runs/run.ts'

/** Names that take a plural verb in “git obeys it”. */
const PLURAL = new Set(['agents', 'MCP clients', 'containers for development', 'other programs'])
const shownBy = (by: string) => (by === 'git hooks' ? 'git' : by)

/** Lowercase names, as written at the start of a sentence. */
const AT_START: Readonly<Record<string, string>> = {
  git: 'Git',
  direnv: 'Direnv',
  agents: 'Agents',
  'containers for development': 'Containers for development',
  'other programs': 'Other programs',
}

/** A file and the program that obeys it: “.envrc, which direnv obeys”. */
export function tellObeyedFile(file: string, by: string): string {
  const name = shownBy(by)
  return PLURAL.has(name) ? `${file}, which ${name} obey` : `${file}, which ${name} obeys`
}

/** The sentence about one file: “VS Code obeys this file without being asked.” */
export function sayObeyed(by: string): string {
  const name = shownBy(by)
  const who = AT_START[name] ?? name
  return PLURAL.has(name)
    ? `${who} obey this file without being asked.`
    : `${who} obeys this file without being asked.`
}

/** Which files that programs obey a command may change, as far as they are known. */
type MayObey = Pick<NonNullable<Approval['command']>, 'obeyed' | 'obeyedFiles' | 'gitConfig'>

/**
 * Say which files that programs obey a command on a card may change; undefined if none. Also for questions
 * that an older version stored.
 */
export function tellMayObey({ obeyed, obeyedFiles = [], gitConfig = false }: MayObey): string | undefined {
  const may = obeyed ?? (gitConfig ? 'git' : 'nothing')
  if (may === 'nothing') return undefined
  const paths = obeyedFiles.map(({ path }) => path).join(', ')
  if (may === 'git')
    return paths === ''
      ? 'It may change what git obeys in this folder, its settings and hooks. Git runs that later without being asked.'
      : `It may change what git obeys in this folder: ${paths}. Git runs that later without being asked.`
  if (paths === '')
    return 'It may change what git, editors and agents obey in this folder without being asked.'
  const names = [...new Set(obeyedFiles.map(({ by }) => shownBy(by)))]
  const who = listNames(names)
  // Such a command may change any of these files, so the known files may not be all.
  return names.length > 1 || PLURAL.has(who)
    ? `It may change what ${who} obey in this folder without being asked: ${paths}, and whatever else programs obey there.`
    : `It may change what ${who} obeys in this folder without being asked: ${paths}, and whatever else programs obey there.`
}

/** Describe a call's change of a file that programs obey or run, as a line of the history. */
export function tellObeyedChange({ path, how, by, tier, kept }: ObeyedChange): string {
  const name = shownBy(by)
  const verb = ({ 1: 'obeys', 2: 'runs' } as const)[tier]
  const sentences = (PLURAL.has(name) ? SEVERAL : ONE)[verb]
  return fillText(sentences[kept === 'put aside' ? 'aside' : kept === 'put back' ? 'back' : how], {
    name,
    path,
  })
}

const ONE = {
  obeys: {
    aside: 'Put aside: {path}, which {name} obeys',
    back: 'Put back as it was: {path}, which {name} obeys',
    new: 'Added what {name} obeys: {path}',
    changed: 'Changed what {name} obeys: {path}',
    gone: 'Removed what {name} obeys: {path}',
  },
  runs: {
    aside: 'Put aside: {path}, which {name} runs',
    back: 'Put back as it was: {path}, which {name} runs',
    new: 'Added what {name} runs: {path}',
    changed: 'Changed what {name} runs: {path}',
    gone: 'Removed what {name} runs: {path}',
  },
} as const
const SEVERAL = {
  obeys: {
    aside: 'Put aside: {path}, which {name} obey',
    back: 'Put back as it was: {path}, which {name} obey',
    new: 'Added what {name} obey: {path}',
    changed: 'Changed what {name} obey: {path}',
    gone: 'Removed what {name} obey: {path}',
  },
  runs: {
    aside: 'Put aside: {path}, which {name} run',
    back: 'Put back as it was: {path}, which {name} run',
    new: 'Added what {name} run: {path}',
    changed: 'Changed what {name} run: {path}',
    gone: 'Removed what {name} run: {path}',
  },
} as const
