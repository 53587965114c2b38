import { homedir } from 'node:os'
import { OBEYED_FILES, type RuleEffect } from '../../shared/contract/runs/permissions.ts'
import { whyNeverAllowed, whyNotPlain } from '../agent/approvals/program-starters.ts'
import type { Refusal } from '../lib/expected-errors.ts'
import { parseShell } from '../shell-safety/parse/parse-shell.ts'
import type { NewRule } from './open-rules.ts'

/** A rule as a user describes it. `command`: text as typed in a shell. `folder`: absolute, links resolved. */
export type RuleWish = Omit<NewRule, 'command' | 'more'> & { command?: string | undefined }

/** Tools that work on one file or folder, so that they can be allowed in a folder. */
const FILE_TOOLS = new Set([
  'read',
  'write',
  'read_file',
  'list_files',
  'search_files',
  'write_file',
  'patch_file',
])

/** The tool whose rules are about a website. */
const SITE_TOOL = 'web_read'

/** Turn a wish into a rule. Refuses what can never be allowed, and rules without effect. */
export function draftRule(wish: RuleWish, toolNames: readonly string[]): NewRule | Refusal {
  const { command, ...rule } = wish
  const { tool, effect, folder, site } = rule
  const text = command?.trim() ?? ''
  if (!['read', 'write', OBEYED_FILES, '*', ...toolNames].includes(tool))
    return {
      refused: `There is no tool “${tool}”. Name one of: terminal, read, write, ${OBEYED_FILES}, *, ${toolNames.join(', ')}.`,
    }
  if (site !== undefined && tool !== SITE_TOOL)
    return { refused: `Only rules for the tool “${SITE_TOOL}” can name a site.` }
  if (site !== undefined) return { ...rule, folder: null, more: false }
  if (text !== '') {
    if (tool !== 'terminal') return { refused: 'Only rules for the tool “terminal” can name a command.' }
    const words = wordsOf(text, effect, folder)
    return 'refused' in words ? words : { ...rule, ...words }
  }
  if (effect === 'allow' && tool === 'terminal')
    return { refused: 'Name the command that may always run. All commands together cannot be allowed.' }
  if (effect === 'allow' && !FILE_TOOLS.has(tool) && tool !== OBEYED_FILES)
    return { refused: `“${tool}” cannot be allowed for good. Only commands, reading and changing files can.` }
  if (effect === 'allow' && folder === null)
    return { refused: 'Name the folder in which files may be read or changed.' }
  return { ...rule, more: false }
}

/** Matches a last `*`. A blank after a backslash belongs to a word. */
const OPEN_END = /(?:(?<![\\\s])|(?<=\\\s))\s+\*$/

/** Split a simple command into words. A last `*` is not a word. */
function wordsOf(
  text: string,
  effect: RuleEffect,
  folder: string | null,
): (Pick<NewRule, 'command' | 'more'> & { command: string[] }) | Refusal {
  const isOpen = OPEN_END.test(text)
  const bare = text.replace(OPEN_END, '')
  const at = folder ?? homedir()
  // After a meaningless first word, wrappers such as `sudo` stay words of the rule.
  const parsed = parseShell(`rule ${bare}`, at, homedir())
  const [line] = parsed.commands
  if (parsed.unparsed !== undefined) return { refused: `The command cannot be read: ${parsed.unparsed}.` }
  if (!line || parsed.commands.length !== 1 || line.redirects.length > 0 || !parsed.simple)
    return { refused: 'A rule covers one simple command, without “;”, “&&”, pipes and redirections.' }
  if (line.args.some(word => !word.literal))
    return {
      refused: 'Write every word of the rule in full: no variables, no “~”, and “*” only as the last word.',
    }
  const command = line.args.map(word => word.text)
  if (command[0] === undefined || command.some(word => word.trim() === ''))
    return { refused: 'A rule cannot contain empty words.' }
  const more = isOpen && effect === 'allow'
  if (effect !== 'allow') return { command, more: false }
  const alone = parseShell(bare, at, homedir())
  const why =
    whyNeverAllowed(command, more) ?? alone.commands.map(whyNotPlain).find(each => each !== undefined)
  if (why !== undefined || alone.commands.length !== 1 || !alone.simple)
    return { refused: `This cannot be allowed for good: ${why ?? 'it can run other commands'}.` }
  if (folder === null && /^[^/]+\//.test(command[0]))
    return { refused: 'A relative path can mean a different program in each folder. Name the folder too.' }
  return { command, more }
}
