import type { PermissionRule } from '../../src/shared/contract/runs/permissions.ts'
import { decideCall, type Verdict } from '../../src/main/agent/approvals/decide.ts'
import type { CommandRights } from '../../src/main/confinement/profile.ts'
import type { Intent } from '../../src/main/tools/registry/tool.ts'

// For tests: standing rules, and the decisions under them in the folder of one chat.

export const FOLDER = '/home/ada/notes'
const HOME = '/home/ada/.talaria'
export const CONFINED: CommandRights = { confined: true, whyNot: '', offline: false }
export const LOOSE: CommandRights = { confined: false, whyNot: 'no bubblewrap', offline: false }
export const MODES = ['ask', 'reads', 'full', 'none'] as const

export const aRule = (given: Partial<PermissionRule>): PermissionRule => ({
  id: 'rule_1',
  effect: 'allow',
  tool: 'terminal',
  more: false,
  folder: FOLDER,
  network: false,
  unconfined: false,
  by: 'card',
  at: 0,
  ...given,
})
const words = (text: string) => text.split(' ')
export const never = (text: string, more: Partial<PermissionRule> = {}) =>
  aRule({ effect: 'never', command: words(text), folder: null, ...more })
export const ask = (text: string) => aRule({ effect: 'ask', command: words(text), folder: null })
export const allow = (text: string, given: Partial<PermissionRule> = {}) =>
  aRule({ command: words(text.replace(/ \*$/, '')), more: text.endsWith(' *'), ...given })

export const aCommand = (command: string, intent: Partial<Intent> = {}): Intent => ({
  title: 'Run',
  detail: command,
  risk: 'execute',
  inWorkspace: true,
  folder: FOLDER,
  command,
  ...intent,
})

/** The decision about a command, or another call. */
export function decideUnder(
  given: string | Intent,
  rules: readonly PermissionRule[],
  mode: Parameters<typeof decideCall>[0]['mode'] = 'ask',
  rights = CONFINED,
): Verdict {
  const intent = typeof given === 'string' ? aCommand(given) : given
  return decideCall({
    tool: intent.command === undefined ? `${intent.risk}_file` : 'terminal',
    intent,
    mode,
    grants: [],
    rules,
    rights,
    home: HOME,
    userHome: '/home/ada',
    platform: 'linux',
  })
}
export const verdict = (...given: Parameters<typeof decideUnder>) => decideUnder(...given).verdict
