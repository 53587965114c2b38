import { redactKnown } from '../../untrusted/redact.ts'
import type { Access } from '../../confinement/profile.ts'
import type { CommandConfinement } from '../../confinement/sandbox-setting.ts'
import type { Intent, ToolContext } from '../../tools/registry/tool.ts'
import { marksFor } from '../approvals/why-marked.ts'
import type { Verdict } from '../approvals/decide.ts'
import type { AroundCommand, CallAt, CallStep, EndedCall } from '../turn-types.ts'
import { askUser } from './ask-approval.ts'
import { askAboutAside, askToRunAgain, withLine } from './ask-aside.ts'

/** Commands that can only read run unasked, so they get no keys. */
const mayWrite = (access: Access) => access === 'unconfined' || access.profile === 'work'
const accessOf = ({ permission }: CallAt): Access => permission?.access ?? { profile: 'look' }

/** Confines commands. Asks again if confinement is not possible, or if it gets in the way. */
export const confinementStep = ({
  confine,
  guards,
}: Partial<Pick<CommandConfinement, 'confine' | 'guards'>>): CallStep => ({
  name: 'confinement',
  async around(at, given, run) {
    const { ports, signal, intent, turn } = at
    const again = () => run({ ...given, confine, guards })
    let result = await again()
    if (!result.ok && result.setupFailed && !signal.aborted) {
      // Ask again: only the user can allow an unconfined run, and must know which text may have asked for it.
      const { reason } = result
      const texts = marksFor(intent, turn.permits.strangers?.current())
      at.permission = await askUser(
        { ...at, rights: { ...at.rights, confined: false, whyNot: reason } },
        { reason, mayAllowInChat: false, obeyed: 'nothing', inEveryMode: true, texts },
      )
      result = at.permission.refusal ?? (await again())
    }
    if (result.blocked && !signal.aborted && ports.approvalMode() !== 'none') {
      const permission = await askToRunAgain(at, result.blocked)
      if (permission.refusal) result = withLine(result, 'The user did not let it run again.')
      else {
        at.permission = permission
        result = await again()
      }
    }
    return await askAboutAside(at, result)
  },
})

/** Watches what a call changes: obeyed files and, with `aroundCommand`, the folder of each command. */
export const watchStep = (aroundCommand?: AroundCommand): CallStep => ({
  name: 'watch',
  async around(at, given, run) {
    const { call, intent, turn } = at
    if (intent.command === undefined) {
      const isWrite = intent.risk === 'write' && intent.path !== undefined
      const written = isWrite ? given.guards?.expectFile(intent.path!) : undefined
      return await run(given).finally(written)
    }
    if (!aroundCommand) return await run(given)
    const ended = await aroundCommand({
      call,
      folder: turn.workspace,
      mayWrite: mayWrite(accessOf(at)),
    })
    try {
      return await run(given)
    } finally {
      await ended()
    }
  },
})

type Keys = NonNullable<ToolContext['keys']>

/**
 * Gives commands the keys of the skills that a turn has loaded, and redacts them in results. A command that
 * would only read gets no keys, so if it names one, the user is asked.
 */
export function skillKeysStep(keysFor: (turn: CallAt['turn']) => Keys): CallStep {
  const known = new WeakMap<EndedCall, Keys>()
  const keysOf = (at: EndedCall): Keys => {
    const keys = known.get(at) ?? keysFor(at.turn)
    known.set(at, keys)
    return keys
  }
  return {
    name: 'skill_keys',
    check(at, verdict) {
      const { command } = at.intent
      if (command === undefined) return verdict
      at.keys = Object.keys(keysOf(at).given)
      if (!runsUnasked(verdict) || mayWrite(verdict.access)) return verdict
      const named = at.keys.find(name => command.includes(name))
      return named === undefined
        ? verdict
        : doubtCall(at, verdict, `It is about the key ${named} of a skill.`)
    },
    around(at, given, run) {
      const keys = keysOf(at)
      return run({ ...given, keys: mayWrite(accessOf(at)) ? keys : { ...keys, given: {} } })
    },
    // Files may contain what a command wrote into them, so all results are redacted.
    after(at, result) {
      const { secrets } = keysOf(at)
      return result.ok
        ? { ...result, text: redactKnown(result.text, secrets) }
        : { ...result, reason: redactKnown(result.reason, secrets) }
    },
  }
}

/** Lets a model doubt a command that would run unasked. It can only add a question. */
export const secondLookStep = (
  look: (intent: Intent, signal: AbortSignal) => Promise<string | undefined>,
): CallStep => ({
  name: 'second_look',
  async check(at, verdict) {
    if (at.intent.command === undefined || !runsUnasked(verdict)) return verdict
    const doubt = await look(at.intent, at.signal)
    return doubt === undefined ? verdict : doubtCall(at, verdict, doubt)
  },
})

type Allowed = Extract<Verdict, { verdict: 'allow' }>
const runsUnasked = (verdict: Verdict): verdict is Allowed => verdict.verdict === 'allow' && !verdict.byUser

/** Ask about a call that would run unasked; deny it if nobody can answer. */
export function doubtCall({ ports }: CallAt, { access }: Allowed, doubt: string): Verdict {
  if (ports.approvalMode() === 'none') {
    const reason = `It needs permission, and nobody is here to give it. ${doubt}`
    return { verdict: 'deny', by: 'nobody', reason }
  }
  const obeyed = access !== 'unconfined' && access.profile === 'work' ? access.obeyed : 'nothing'
  return { verdict: 'ask', reason: doubt, mayAllowInChat: false, obeyed, inEveryMode: true }
}
