import { mayLeaveFolder } from './opened-paths.ts'
import { isAbsolute, posix } from 'node:path'
import { OBEYED_FILES, type PermissionRule } from '../../../shared/contract/runs/permissions.ts'
import { isWithin, type MayWriteObeyed } from '../../confinement/profile.ts'
import { baseName, type Invocation, type ParsedShell } from '../../shell-safety/shell-types.ts'
import type { Intent } from '../../tools/registry/tool.ts'
import { fitsSite } from './web-calls.ts'
import { whyNeverAllowed, whyNotPlain } from './program-starters.ts'

/** `obeyed`: which obeyed files the call may write. */
type Call = { tool: string; intent: Intent; parsed: ParsedShell | undefined; obeyed?: MayWriteObeyed }

/** The rule that decides before anything can allow a call. `isUnsure`: some words are unknown in advance. */
export type StoppingRule = { effect: 'never' | 'ask'; rule: PermissionRule; isUnsure: boolean }

/** Whether a rule applies; `maybe` if the call has words that are unknown before it runs. */
type Fit = 'yes' | 'maybe' | 'no'

/** The first *never* rule that applies to a call, else the first *ask* rule. A rule that may apply asks. */
export function findStoppingRule(rules: readonly PermissionRule[], call: Call): StoppingRule | undefined {
  const found = (effect: 'never' | 'ask', fit: Fit) =>
    rules.find(rule => rule.effect === effect && fitOf(rule, call) === fit)
  const never = found('never', 'yes')
  if (never) return { effect: 'never', rule: never, isUnsure: false }
  const ask = found('ask', 'yes')
  if (ask) return { effect: 'ask', rule: ask, isUnsure: false }
  const maybe = found('never', 'maybe') ?? found('ask', 'maybe')
  return maybe && { effect: 'ask', rule: maybe, isUnsure: true }
}

function fitOf(rule: PermissionRule, { tool, intent, parsed, obeyed = 'nothing' }: Call): Fit {
  if (rule.tool === OBEYED_FILES) {
    const isHere = rule.folder === null || touches(rule.folder, placeOf(intent))
    return obeyed !== 'nothing' && isHere ? 'yes' : 'no'
  }
  if (!namesTool(rule.tool, tool, intent) || !fitsSite(rule, intent.web)) return 'no'
  const { command, folder } = rule
  if (intent.command === undefined) {
    if (command || (folder !== null && !touches(folder, intent.path ?? intent.folder))) return 'no'
    return 'yes'
  }
  const isHere = ({ folder: at }: { folder: string }) => folder === null || isWithin(folder, at)
  if (!command) return isHere(intent) || parsed?.commands.some(isHere) ? 'yes' : 'no'
  if (!parsed) return windowsFit(command, intent.command)
  const fits = parsed.commands
    .filter(each => isHere(each) || isHere(intent))
    .map(each => fitOfWords(command, each))
  if (fits.includes('yes')) return 'yes'
  // The unparsed rest of a command may be anything.
  return fits.includes('maybe') || parsed.unparsed !== undefined ? 'maybe' : 'no'
}

function namesTool(named: string, tool: string, { risk, path, command }: Intent): boolean {
  if (named === '*' || named === tool) return true
  return command === undefined && path !== undefined && named === risk
}

/** Where a call may write obeyed files; for a command, anywhere in the folder of its chat. */
const placeOf = ({ command, workspace, folder, path }: Intent): string =>
  command === undefined ? (path ?? folder) : (workspace ?? folder)

/** Whether the user allows obeyed files to be changed unasked in the place where a call would change them. */
export const mayChangeObeyed = (rules: readonly PermissionRule[], intent: Intent): boolean =>
  rules.some(
    ({ effect, tool, folder }) =>
      effect === 'allow' && tool === OBEYED_FILES && folder !== null && isWithin(folder, placeOf(intent)),
  )

/** Whether a folder and a path overlap: a call about a folder also touches what is in it. */
const touches = (folder: string, path: string) => isWithin(folder, path) || isWithin(path, folder)

const UNKNOWN = /[\uE000-\uE008]/

/**
 * Whether a command is the one that a *never* or *ask* rule names. The program may have any path and wrapper.
 * The rule's flags may be anywhere. Its other words must be in order, with only flags and their values
 * between.
 */
function fitOfWords(pattern: readonly string[], { program, name, wrappers, args }: Invocation): Fit {
  if (!program) return 'no'
  const first = baseName(pattern[0]!)
  const words = [...wrappers, name, ...args.map(word => word.text)]
  const starts = words.slice(0, wrappers.length + 1).flatMap((word, at) => (word === first ? [at] : []))
  if (starts.length === 0) return UNKNOWN.test(program.text) || program.glob ? 'maybe' : 'no'
  const fits = starts.map(start => fitOfArguments(pattern.slice(1), words.slice(start + 1)))
  return fits.includes('yes') ? 'yes' : fits.includes('maybe') ? 'maybe' : 'no'
}

function fitOfArguments(pattern: readonly string[], words: readonly string[]): Fit {
  const isUnknown = words.some(word => UNKNOWN.test(word))
  const flags = pattern.filter(word => word.startsWith('-'))
  const missing = flags.some(flag => !words.some(word => word === flag || word.startsWith(`${flag}=`)))
  if (missing && !isUnknown) return 'no'
  const operands = pattern.filter(word => !word.startsWith('-'))
  let at = 0
  for (const operand of operands) {
    while (words[at] !== operand) {
      const word = words[at]
      if (word === undefined) return 'no'
      if (UNKNOWN.test(word)) return 'maybe'
      const followsFlag = at > 0 && words[at - 1]!.startsWith('-')
      if (!word.startsWith('-') && !followsFlag) return 'no'
      at++
    }
    at++
  }
  return missing ? 'maybe' : 'yes'
}

/** PowerShell is not parsed here, so words count wherever they are. */
function windowsFit(pattern: readonly string[], command: string): Fit {
  const words = new Set(command.toLowerCase().split(/[^\w.-]+/))
  const wanted = [baseName(pattern[0]!), ...pattern.slice(1).map(word => word.toLowerCase())]
  return wanted.every(word => words.has(word)) ? 'yes' : 'no'
}

/** Further words that an open rule covers: no flags, assignments, or words with special characters. */
const PLAIN_OPERAND = /^[^-+@=~:][^=]*$/

/**
 * The *allow* rules that cover a call. A command needs one for each of its simple commands, matched word by
 * word. Undefined unless all are covered and the command is plain. Ignores network and confinement.
 */
export function findAllowRules(
  rules: readonly PermissionRule[],
  { tool, intent, parsed }: Call,
): readonly PermissionRule[] | undefined {
  const allow = rules.filter(rule => rule.effect === 'allow')
  if (intent.command === undefined) {
    const { path, undoable } = intent
    const rule =
      path === undefined || undoable
        ? undefined
        : allow.find(
            each =>
              each.tool !== '*' &&
              each.tool !== OBEYED_FILES &&
              !each.command &&
              each.folder !== null &&
              namesTool(each.tool, tool, intent) &&
              isWithin(each.folder, path),
          )
    return rule && [rule]
  }
  if (!parsed?.simple || parsed.unparsed !== undefined || mayLeaveFolder(intent, parsed.commands))
    return undefined
  // Background commands ask each time.
  if (intent.background) return undefined
  // oxlint-disable-next-line no-control-regex -- such characters mean different things to different shells
  if (/[\0-\u0008\u000B-\u001F\u007F]/.test(intent.command)) return undefined
  const { commands } = parsed
  if (commands.length === 0 || commands.length > 20) return undefined
  const covering = commands.map(each => allow.find(rule => rule.tool === tool && coversCommand(rule, each)))
  return covering.every(rule => rule !== undefined) ? [...new Set(covering)] : undefined
}

function coversCommand(rule: PermissionRule, command: Invocation): boolean {
  const { command: pattern, more, folder } = rule
  if (!pattern || whyNeverAllowed(pattern, more) !== undefined || whyNotPlain(command) !== undefined)
    return false
  if (folder !== null && !isWithin(folder, command.folder)) return false
  const program = command.program!.text
  if (!isSameProgram(pattern[0]!, program, rule, command)) return false
  const words = command.args.map(word => word.text)
  const wanted = pattern.slice(1)
  if (words.length < wanted.length || !wanted.every((word, at) => word === words[at])) return false
  const rest = words.slice(wanted.length)
  return rest.length === 0 || (more && rest.every(word => PLAIN_OPERAND.test(word)))
}

/** A relative path names the same file only from the folder of the rule. */
function isSameProgram(
  wanted: string,
  program: string,
  { folder }: PermissionRule,
  { folder: at }: Invocation,
) {
  if (!wanted.includes('/') || isAbsolute(wanted)) return wanted === program
  return (
    folder !== null && program.includes('/') && posix.resolve(folder, wanted) === posix.resolve(at, program)
  )
}
