import type { AppEvent, Notice } from '../../../../shared/contract/app.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import { secondLookStep } from '../../../agent/steps/command-steps.ts'
import { policyStep } from '../../../agent/steps/policy-step.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { CommandRights } from '../../../confinement/profile.ts'
import type { Broadcast } from '../../../lib/topic.ts'
import { openRules } from '../../../permissions/open-rules.ts'
import { permissionHandlers } from '../../../permissions/permission-handlers.ts'
import { askIfSafe, type AskModel } from '../../../permissions/second-look.ts'
import type { StepSource } from '../../../runs/turn-runner.ts'
import type { Registry } from '../../../tools/registry/registry.ts'
import type { Intent } from '../../../tools/registry/tool.ts'

type Needs = {
  home: string
  workspace: string
  config: ConfigHandle
  notices: Notice[]
  models: {
    askAuxiliary(work: 'summary', modelId: string, ...given: Parameters<AskModel>): ReturnType<AskModel>
  }
  registry: Registry
  /** How commands can run here, and the command of a background process in a folder. */
  rights(this: void): Promise<CommandRights>
  runningIn(this: void, folder: string): string | undefined
  events: Broadcast<AppEvent>
  feed: Pick<Feed, 'tell'>
  now(): number
  report(error: unknown): void
}

/** The policy on calls: the user's standing rules, and the second look at commands. */
export function permissionsFeature(needs: Needs) {
  const { home, workspace, config, notices, models, registry, events, feed, now, report } = needs
  const rules = openRules({
    home,
    now,
    onChange({ outside, notice }) {
      feed.tell('permissions')
      if (notice) events.publish({ type: 'notice', notice })
      else if (outside) events.publish({ type: 'notice', notice: CHANGED })
    },
  })
  notices.push(...rules.notices)
  return {
    /** What a turn needs to know about the rules. */
    standing: {
      current: rules.current,
      add(given: readonly Omit<Parameters<typeof rules.add>[0][number], 'effect' | 'by'>[]) {
        const added = rules.add(given.map(rule => ({ ...rule, effect: 'allow', by: 'card' })))
        return 'refused' in added ? added : undefined
      },
    },
    steps: [
      () => policyStep({ rights: needs.rights, runningIn: needs.runningIn }),
      ({ session }) => secondLookStep((intent, signal) => lookAgain(session.modelId, intent, signal)),
    ] satisfies StepSource[],
    handlers: permissionHandlers({
      home,
      workspace,
      rules,
      tools: registry,
      rights: needs.rights,
      defaultMode: () => config.current.approvals.default,
    }),
  }

  /** Return the reason to ask the user about a command after all; undefined if none. */
  async function lookAgain(modelId: string, { command = '', folder }: Intent, signal: AbortSignal) {
    if (!config.current.approvals.second_look) return undefined
    try {
      return await askIfSafe(
        (...given) => models.askAuxiliary('summary', modelId, ...given),
        { command, folder },
        signal,
      )
    } catch (error) {
      report(error)
      return 'The second look failed.'
    }
  }
}

const CHANGED: Notice = {
  id: 'permissions-file',
  level: 'warning',
  text: 'Another program changed your permission rules.',
  fix: 'Check them in Settings, under Permissions.',
}
