import { sayGround } from '../../shared/words/call-words.ts'
import { homedir } from 'node:os'
import type { HostHandlers } from '../../shared/contract/index.ts'
import type { PermissionRule, TestedCommand } from '../../shared/contract/runs/permissions.ts'
import type { ApprovalMode } from '../../shared/contract/chats/session.ts'
import { tellMayObey } from '../../shared/words/obeyed-words.ts'
import { Fault } from '../../shared/rpc.ts'
import { describeParts } from '../agent/approvals/command-reasons.ts'
import { decideCall, type Verdict } from '../agent/approvals/decide.ts'
import { whyNeverAllowed } from '../agent/approvals/program-starters.ts'
import { resolveAsked } from '../files/workspace.ts'
import { accessName, type CommandRights } from '../confinement/profile.ts'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { hashShown } from '../lib/shown-hash.ts'
import { parseShell } from '../shell-safety/parse/parse-shell.ts'
import type { Tool } from '../tools/registry/tool.ts'
import { draftRule } from './draft-rule.ts'
import type { Rules } from './open-rules.ts'

type Parts = {
  home: string
  workspace: string
  rules: Rules
  /** The tools that exist. */
  tools: { readonly names: readonly string[]; get(name: string): Tool | undefined }
  rights(): Promise<CommandRights>
  /** The mode of new chats. */
  defaultMode(): ApprovalMode
}

const DECISIONS = { allow: 'run', ask: 'ask', deny: 'refuse' } as const

/** The handlers for standing rules: list, add, remove, and test what would happen to a command. */
export function permissionHandlers({ home, workspace, rules, tools, rights, defaultMode }: Parts) {
  return {
    'permissions.list': () => ({
      rules: rules.current().map(rule => ({ ...rule, seen: hashShown(rule) })),
      file: rules.path,
      problem: rules.problem() ?? null,
    }),
    async 'permissions.add'({ folder, ...wish }) {
      const draft = draftRule(
        { ...wish, folder: folder === undefined || folder === '' ? null : await resolveAsked(folder) },
        tools.names,
      )
      if (isRefusal(draft)) throw new Fault('bad_input', draft.refused)
      return orFault(rules.add([draft]))[0]!
    },
    'permissions.remove': ({ id, seen }) => orFault(rules.remove(id, seen)),
    'permissions.restore'({ rule }) {
      const { effect, command, more } = rule
      const why = effect === 'allow' && command ? whyNeverAllowed(command, more) : undefined
      if (why !== undefined) throw new Fault('bad_input', `This cannot be allowed for good: ${why}.`)
      return orFault(rules.restore(rule))
    },
    async 'permissions.test'({ command, folder, mode = defaultMode() }): Promise<TestedCommand> {
      const where = folder === undefined || folder === '' ? workspace : await resolveAsked(folder)
      const tool = tools.get('terminal')
      if (!tool) throw new Fault('not_ready', 'This Talaria runs no commands.')
      const intent = await tool.intent({ command, cwd: '.' }, { workspace: where, home })
      if (isRefusal(intent)) throw new Fault('bad_input', intent.refused)
      const found = decideCall({
        tool: tool.name,
        intent,
        mode,
        grants: [],
        rules: rules.current(),
        rights: await rights(),
        home,
      })
      return {
        decision: DECISIONS[found.verdict],
        reason: found.verdict === 'allow' ? sayGround(found.ground) : found.reason,
        access: found.verdict === 'allow' ? accessName(found.access) : null,
        mayObey: tellMayObey(obeyedBy(found)) ?? null,
        parts: describeParts(parseShell(command, intent.folder, homedir()), intent).map(each => ({
          command: each.command,
          reasons: [...each.reasons],
        })),
      }
    },
  } satisfies Partial<HostHandlers>
}

function orFault<T extends PermissionRule | readonly PermissionRule[]>(outcome: T | Refusal): T {
  if (isRefusal(outcome)) throw new Fault('not_ready', outcome.refused)
  return outcome
}

/** The rights of a command to change obeyed files, if it runs. */
function obeyedBy(found: Verdict): Parameters<typeof tellMayObey>[0] {
  if (found.verdict === 'ask') return { obeyed: found.obeyed, obeyedFiles: [...(found.obeyedFiles ?? [])] }
  if (found.verdict === 'deny' || found.access === 'unconfined' || found.access.profile === 'look') return {}
  return { obeyed: found.access.obeyed }
}
