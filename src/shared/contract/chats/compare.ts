import { z } from 'zod'
import { call } from '../../rpc.ts'
import { SentAttachments } from './attachments.ts'
import { AssistantMessage, Draft, MessageText, UserMessage } from './messages.ts'

const sessionId = z.string().min(1).max(100)
const modelId = z.string().min(1).max(4_096)

/**
 * One question to two models. Both answer without tools, as branches behind the question; the path ends at the question until
 * one of them is kept (`branch.switch`), so only that one counts for models, reviews and exports.
 */
export const compare = {
  /** Store the question and start a run with both answers. `draft` is the new draft of the chat. */
  'compare.start': call(
    z.object({
      sessionId,
      text: MessageText,
      modelIds: z.tuple([modelId, modelId]),
      /** Unsent attachments of the chat, which go with it; documents are written for the model of the chat. */
      attachments: SentAttachments.optional(),
      draft: Draft.optional(),
    }),
    z.object({ runId: z.string() }),
  ),
  /** Stop one of the two answers; what is written of it stays. */
  'compare.stop': call(
    z.object({ runId: z.string().min(1).max(100), lane: z.int().min(0).max(1) }),
    z.object({}),
  ),
  /** The answers between which the user has not chosen yet; `question` is null when there are none. */
  'compare.open': call(
    z.object({ sessionId }),
    z.object({ question: UserMessage.nullable(), answers: z.array(AssistantMessage) }),
  ),
}
