import type { PermissionRule } from '../contract/runs/permissions.ts'

/** A word as it would be typed in a shell. */
const typed = (word: string): string =>
  /^[\w./,:=@%+^-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** Words as they would be typed in a shell. */
export const typedCommand = (words: readonly string[]): string => words.map(typed).join(' ')

const TOOLS: Readonly<Record<string, string>> = {
  terminal: 'every command',
  read: 'reading files',
  write: 'changing files',
  obeyed: 'changing files that programs obey',
  web_read: 'reading pages',
  web_search: 'searching the web',
  '*': 'everything',
}

type Named = Pick<PermissionRule, 'tool' | 'command' | 'more' | 'folder' | 'site'>

/** The subject of a rule: a command, or a tool. */
export const ruleSubject = ({ command, more, tool }: Omit<Named, 'folder' | 'site'>): string =>
  command ? `${typedCommand(command)}${more ? ' *' : ''}` : (TOOLS[tool] ?? tool)

/** The subject of a rule and its folder, as in “npm test” in /home/ada/notes. */
export function ruleName(rule: Named): string {
  const { site, folder } = rule
  const subject = ruleSubject(rule)
  if (site === undefined) return folder === null ? `“${subject}”` : `“${subject}” in ${folder}`
  return folder === null ? `“${subject}” of ${site}` : `“${subject}” of ${site} in ${folder}`
}
