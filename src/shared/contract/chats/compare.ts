import { z } from 'zod'
import { call } from '../../rpc.ts'
import { SentAttachments } from './attachments.ts'
import { AssistantMessage, Draft, MessageText, UserMessage } from './messages.ts'

const sessionId = z.string().min(1).max(100)
const modelId = z.string().min(1).max(4_096)

/**
 * One question to two models. Both answer without tools, as branches after the question. The path ends at the
 * question until the user keeps one answer (`branch.switch`), so only that answer exists for models, reviews
 * and exports.
 */
export const compare = {
  /** Store the question and start a run with both answers. `draft` is the new draft of the chat. */
  'compare.start': call(
    z.object({
      sessionId,
      text: MessageText,
      modelIds: z.tuple([modelId, modelId]),
      /**
       * Unsent attachments of the chat to send with the question; documents are prepared for the model of the
       * chat.
       */
      attachments: SentAttachments.optional(),
      draft: Draft.optional(),
    }),
    z.object({ runId: z.string() }),
  ),
  /** Stop one of the two answers; its text so far stays. */
  'compare.stop': call(
    z.object({ runId: z.string().min(1).max(100), lane: z.int().min(0).max(1) }),
    z.object({}),
  ),
  /** The answers that the user has not chosen between yet; `question` is null if there are none. */
  'compare.open': call(
    z.object({ sessionId }),
    z.object({ question: UserMessage.nullable(), answers: z.array(AssistantMessage) }),
  ),
}
