import { Fault } from '../../../shared/rpc.ts'
import type { Session, TurnSubject } from '../../../shared/contract/chats/session.ts'
import type { PreparedTurn, Turn } from '../../agent/turn-types.ts'
import type { Refusal } from '../../lib/expected-errors.ts'
import { newId } from '../../lib/ids.ts'
import { isFailure } from '../../models/interface/engine.ts'
import { prepareTurn } from '../prepare-turn.ts'
import type { TurnSources } from '../turn-setup.ts'

/** The toolset of the web; no other toolset causes a question. */
const WEB = 'web'
const HERE = 'Yes, in this chat'
const EVERYWHERE = 'Yes, in every chat'
const NO = 'No'
const WHAT_IT_MEANS =
  'It may then search the web and read pages. The words of a search and the addresses of pages leave this computer. What pages say cannot make it act without asking you.'

type Asking = {
  /** The current state of the chat. */
  current(): TurnSubject & Pick<Session, 'workspace'>
  /** Whether a user is there to agree. */
  isAttended(): boolean
}

/**
 * Offer the web on its first use in a chat. If a model calls a tool that nobody has switched on yet, Talaria
 * asks the user, once per turn. What they switch on is offered from the next request on.
 */
export function offerWeb(sources: TurnSources, { current, isAttended }: Asking) {
  let hasAsked = false
  let isFresh = false

  /** Create the question for a prepared turn. It resolves to undefined if there is nothing to ask. */
  const askedIn =
    ({
      contextTokens,
      guide,
    }: Pick<PreparedTurn, 'contextTokens' | 'guide'>): NonNullable<Turn['switchOn']> =>
    async (call, ports, signal) => {
      const { toolsets, mayOffer } = sources
      const chat = current()
      const toolset = toolsets?.unchosen?.(chat.id, call.name)
      const isOfUse = guide === undefined && (mayOffer?.(call.name, chat, contextTokens) ?? true)
      if (!toolsets?.switchOn || toolset !== WEB || !isOfUse || hasAsked || !isAttended()) return undefined
      if (chat.onlyTools.length > 0) return undefined
      hasAsked = true
      const given = call.arguments['query'] ?? call.arguments['address']
      const wanted = typeof given === 'string' ? `: ${given.slice(0, 300).toWellFormed()}` : '.'
      const approval = {
        id: newId('ask'),
        callId: call.id,
        tool: call.name,
        title: 'Switch the web on',
        detail: '',
        folder: chat.workspace,
        reason: WHAT_IT_MEANS,
        risk: 'network' as const,
        mayAllowInChat: false,
        inEveryMode: true as const,
        question: {
          text: `The web is off. Switch it on? The model wants to ${'address' in call.arguments ? 'read' : 'search for'}${wanted}`,
          choices: [HERE, EVERYWHERE, NO],
        },
      }
      ports.emit({ type: 'approval_request', approval })
      const { decision, note, unanswered } = await ports.ask(approval, signal)
      const { id: approvalId, callId } = approval
      ports.emit({ type: 'approval_resolved', approvalId, callId, decision, note })
      if (unanswered || signal.aborted) return undefined
      const said = note.trim()
      if (decision === 'deny' || (said !== HERE && said !== EVERYWHERE)) return refusal(said)
      try {
        toolsets.switchOn(toolset, said === HERE ? chat.id : undefined)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        ports.emit({ type: 'warning', text: `The web was not switched on. ${error.message}` })
        return { refused: `The web could not be switched on. ${error.message}` }
      }
      isFresh = true
      return 'on'
    }

  return {
    askedIn,
    /** The turn's new prompt and tools if something was switched on since the last request. */
    async changed(): Promise<Partial<Pick<Turn, 'system' | 'tools' | 'callable'>>> {
      if (!isFresh) return {}
      isFresh = false
      const prepared = await prepareTurn(sources, current())
      if (isFailure(prepared)) return {}
      const { system, tools, callable } = prepared
      return { system, tools, ...(callable && { callable }) }
    },
  }
}

const refusal = (said: string): Refusal => ({
  refused: `The user does not switch the web on${said === '' || said === NO ? '' : `, and says: “${said}”`}. Go on without it.`,
})
