import { lookingBack, scriptedLearner, type ReviewScript } from '../../testing/learning/script.ts'
import type { OpenAiServer, ServedReply, ServedRequest } from '../../testing/servers/openai-server.ts'
import type { Case } from './case.ts'

type Turn = Case['turns'][number]

/** Controls the model of a recorded conversation, which says what was recorded. */
export type Script = {
  /** Set the turn that it answers from now on. */
  chat(turn: Turn): void
  /** Set what it answers from now on when it looks back; with null, it answers with an error. */
  review(script: ReviewScript | null): void
  /** How often it was asked to look back. */
  questions(): number
}

/** Let a server answer as recorded. */
export function followScript(server: OpenAiServer): Script {
  let turn: Turn = { user: '', reply: 'All right.', calls: [] }
  let review: ReviewScript | null = {}
  const chat = ({ body }: ServedRequest): ServedReply => {
    const messages = body.messages as { role: string }[]
    const asked = messages.findLastIndex(each => each.role === 'user')
    const step = messages.slice(asked).filter(each => each.role === 'assistant').length
    const call = turn.calls[step]
    return call ? { toolCalls: [{ name: call.name, arguments: call.arguments }] } : { text: turn.reply }
  }
  const learner = scriptedLearner(chat, () => review ?? {})
  server.reply(request =>
    review === null && lookingBack(request)
      ? { status: 400, body: { error: { message: 'This model has recorded replies only.' } } }
      : learner(request),
  )
  return {
    chat: next => (turn = next),
    review: next => (review = next),
    questions: () => server.chats().filter(request => lookingBack(request) !== undefined).length,
  }
}
