import type { Message } from '../../shared/contract/chats/messages.ts'
import { letOthersRun } from '../lib/timing.ts'
import type { WireMessage } from '../models/interface/engine.ts'
import { readCompletion, type CompletionResult } from './completion.ts'
import type { Guide, GuidedReply } from './guide.ts'
import { storeReply, type Reply } from './reply.ts'
import type { Turn, TurnPorts } from './turn-types.ts'

/**
 * Get a reply in a turn with a guide. The guide may answer first. Otherwise the model is asked silently, and
 * the guide decides on its reply. Only the guide's text is shown and stored. Without `mayCall`, calls are
 * dropped.
 */
export async function readGuidedReply(
  turn: Turn,
  ports: TurnPorts,
  guide: Guide,
  {
    history,
    messages,
    mayCall,
  }: {
    history: readonly Message[]
    messages: readonly WireMessage[]
    mayCall: boolean
  },
  signal: AbortSignal,
): Promise<Reply> {
  const said = await guide.before(history, signal)
  if (said) return storeGuided(turn, ports, said, NOT_ASKED, mayCall)
  const inSilence: TurnPorts['emit'] = event => {
    if (event.type === 'progress' || event.type === 'warning') ports.emit(event)
  }
  const prompt = {
    messages,
    tools: turn.strategy.attach(turn.tools),
    constraints: turn.strategy.constrain(turn.tools),
  }
  await letOthersRun()
  const wrote = await readCompletion(turn, inSilence, prompt, { isShown: false }, signal)
  const { end, text, calls } = wrote
  if (end === 'stopped' || end === 'failed')
    return storeReply(turn, ports, { ...wrote, text: '', calls: [] }, { begun: undefined, isVoid: false })
  const made = await guide.after(history, { text, calls, end }, signal)
  return storeGuided(turn, ports, made, wrote, mayCall)
}

/** Show and store the guide's text. The model's own text is kept if the guide runs exactly its calls. */
function storeGuided(
  turn: Turn,
  ports: TurnPorts,
  guided: GuidedReply,
  { raw, ...wrote }: CompletionResult,
  mayCall: boolean,
): Reply {
  const calls = mayCall ? [...guided.calls] : []
  const isOwn = raw !== undefined && calls.length > 0 && calls.every((each, at) => each === wrote.calls[at])
  if (guided.text !== '') ports.emit({ type: 'text_delta', text: guided.text })
  const result: CompletionResult = { ...wrote, text: guided.text, reasoning: '', calls, end: 'done' }
  return storeReply(turn, ports, isOwn ? { ...result, raw } : result, { begun: undefined, isVoid: false })
}

/** The placeholder for a reply if the model was not asked. */
const NOT_ASKED: CompletionResult = { text: '', reasoning: '', calls: [], end: 'done' }
