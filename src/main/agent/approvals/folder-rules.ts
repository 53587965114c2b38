import { mayLeaveFolder } from './opened-paths.ts'
import { OBEYED_FILES, type PermissionRule } from '../../../shared/contract/runs/permissions.ts'
import type { ParsedShell } from '../../shell-safety/shell-types.ts'
import type { Intent } from '../../tools/registry/tool.ts'
import { whyNotPlain } from './program-starters.ts'

/** A rule that a card offers, before it is known how the command may run. */
export type OfferedRule = Pick<PermissionRule, 'tool' | 'command' | 'more' | 'folder' | 'site'>

/** Maximum number of rules that one card offers. */
const MAX_OFFERED = 5

/** The rule that would allow calls to change obeyed files in the place where this call would. */
export const offeredForObeyed = ({ command, workspace, folder }: Intent): OfferedRule => ({
  tool: OBEYED_FILES,
  more: false,
  folder: command === undefined ? folder : (workspace ?? folder),
})

/**
 * The rules that would allow a call in its folder from now on: one for each simple command with exactly its
 * words, or one for a tool that reads or changes files. Empty if no rule could: the command runs other
 * programs or is not plain.
 */
export function offeredRules(
  tool: string,
  intent: Intent,
  parsed: ParsedShell | undefined,
): readonly OfferedRule[] {
  const { command, folder, path, risk, undoable } = intent
  if (command === undefined)
    return path === undefined || undoable || (risk !== 'read' && risk !== 'write')
      ? []
      : [{ tool: risk, more: false, folder }]
  if (
    !parsed?.simple ||
    parsed.unparsed !== undefined ||
    mayLeaveFolder(intent, parsed.commands) ||
    intent.background
  )
    return []
  const { commands } = parsed
  if (commands.some(each => whyNotPlain(each) !== undefined || each.folder !== folder)) return []
  const rules = commands.map(({ program, args }) => ({
    tool,
    command: [program!.text, ...args.map(word => word.text)],
    more: false,
    folder,
  }))
  const different = [...new Map(rules.map(rule => [JSON.stringify(rule.command), rule])).values()]
  return different.length > MAX_OFFERED ? [] : different
}
