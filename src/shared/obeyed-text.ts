import type { ObeyedChange } from './contract/messages.ts'
import type { Approval } from './contract/run.ts'

/** Names that are plural, or that read better otherwise, in “git obeys it”. */
const PLURAL = new Set(['agents', 'MCP clients', 'containers for development', 'other programs'])
const shownBy = (by: string) => (by === 'git hooks' ? 'git' : by)

/** Words joined as a person would: “git, VS Code and agents”. */
function joinWords(words: readonly string[]): string {
  const [last, ...before] = words.toReversed()
  return before.length === 0 ? (last ?? '') : `${before.toReversed().join(', ')} and ${last}`
}

/** Who obeys something, with the verb: “direnv obeys”, “git and agents obey”. */
export function tellObeyers(by: readonly string[]): string {
  const names = [...new Set(by.map(shownBy))]
  return `${joinWords(names)} ${names.length > 1 || PLURAL.has(names[0] ?? '') ? 'obey' : 'obeys'}`
}

/** The sentence about one file: “VS Code obeys this file without being asked.” */
export function sayObeyed(by: string): string {
  const who = tellObeyers([by])
  return `${who.charAt(0).toUpperCase()}${who.slice(1)} this file without being asked.`
}

/** What a command may change of the files that programs obey, and which ones are known. */
type MayObey = Pick<NonNullable<Approval['command']>, 'obeyed' | 'obeyedFiles' | 'gitConfig'>

/**
 * What a command on a card may change of the files that programs obey, as a sentence; undefined if nothing. Also for questions that
 * an older version stored.
 */
export function tellMayObey({ obeyed, obeyedFiles = [], gitConfig = false }: MayObey): string | undefined {
  const may = obeyed ?? (gitConfig ? 'git' : 'nothing')
  if (may === 'nothing') return undefined
  const names = obeyedFiles.length > 0 ? `: ${obeyedFiles.map(({ path }) => path).join(', ')}` : ''
  if (may === 'git')
    return `It may change what git obeys in this folder${names || ', its settings and hooks'}. Git runs that later without being asked.`
  const known = obeyedFiles.map(({ by }) => by)
  const who = tellObeyers(known.length > 0 ? known : ['git', 'editors', 'agents'])
  // Such a command is kept from none of them, so what is known is not all.
  const others = names === '' ? '' : ', and whatever else programs obey there'
  return `It may change what ${who} in this folder without being asked${names}${others}.`
}

const HOW = { new: 'Added', changed: 'Changed', gone: 'Removed' } as const

/** What a call changed of a file that programs obey or run, as a line of the history. */
export function tellObeyedChange({ path, how, by, tier, kept }: ObeyedChange): string {
  const name = shownBy(by)
  const who = tier === 1 ? tellObeyers([by]) : `${name} ${PLURAL.has(name) ? 'run' : 'runs'}`
  if (kept === 'put aside') return `Put aside: ${path}, which ${who}`
  if (kept === 'put back') return `Put back as it was: ${path}, which ${who}`
  return `${HOW[how]} what ${who}: ${path}`
}
