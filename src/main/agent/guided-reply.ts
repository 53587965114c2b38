import type { Message } from '../../shared/contract/chats/messages.ts'
import { letOthersRun } from '../lib/timing.ts'
import type { WireMessage } from '../models/interface/engine.ts'
import { readCompletion, type CompletionResult } from './completion.ts'
import type { Guide, GuidedReply } from './guide.ts'
import { storeReply, type Reply } from './reply.ts'
import type { Turn, TurnPorts } from './turn-types.ts'

/**
 * A reply in a turn with a guide: it speaks first, else the model is asked in silence and the guide makes of its reply what is done
 * and said. Only what the guide says is shown and stored. Without `mayCall`, calls are dropped.
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

/** Show and store what the guide says. The model's own text goes with the calls that it belongs to. */
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

/** Stands for the model's reply where it was not asked. */
const NOT_ASKED: CompletionResult = { text: '', reasoning: '', calls: [], end: 'done' }
