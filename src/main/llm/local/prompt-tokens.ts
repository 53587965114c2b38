import type { LlamaModel, Token } from 'node-llama-cpp'
import type { WireMessage } from '../engine.ts'
import type { ChatTemplate, PromptPart, Role } from './chat-template.ts'
import { tokensOfStart } from './reply-text.ts'
import type { Reply } from './reply-text.ts'
import { cutMarkup, findMarkup } from './untrusted-text.ts'

/** Writes conversations as tokens, the same way every time. */
export type PromptWriter = {
  /** The tokens of a conversation up to the reply; `opener` of them at the end already belong to the reply. */
  write(sessionId: string, messages: readonly WireMessage[]): { tokens: Token[]; opener: number }
  /** Remember the tokens of a reply, because reading its text again may give others. */
  keep(sessionId: string, reply: Reply): void
}

const keptSessions = 32
const userDefined = 4

/** Make a writer for one model. */
export function createPromptWriter(model: LlamaModel, template: ChatTemplate): PromptWriter {
  const read = tokenReader(model)
  const kept = new Map<string, Reply[]>()
  const { ggml } = model.fileInfo.metadata.tokenizer ?? {}
  const types = ggml?.token_type ?? []
  const pattern = findMarkup((ggml?.tokens ?? []).filter((_, token) => Number(types[token]) === userDefined))

  /** Template text may hold control tokens, a person's text may hold none, and a reply keeps the tokens it had. */
  const tokensOf = (message: WireMessage, replies: readonly Reply[], used: Set<Reply>): Token[] => {
    const { text, role } = message
    if (role === 'user' || role === 'tool') {
      return cutMarkup(text, pattern).flatMap(piece => read(piece, false))
    }
    if (!message.generated) return read(text, false)
    const reply = replies.find(each => each.text === text) ?? replies.find(each => each.text.startsWith(text))
    if (!reply) return read(text, true)
    used.add(reply)
    const { tokens, covers } = tokensOfStart(reply, text.length)
    return [...(tokens as Token[]), ...read(text.slice(covers), true)]
  }

  return {
    write(sessionId, all) {
      const messages = all.filter(message => message.role !== 'system' || message.text !== '')
      const replies = kept.get(sessionId) ?? []
      const used = new Set<Reply>()
      const parts = template.layOut(
        messages.map(({ role, generated = false }) => ({ role: roleOf(role), generated })),
      )
      const tokens: Token[] = []
      const { bos, shouldPrependBosToken } = model.tokens
      for (const part of splitOff(template.opener, parts)) {
        const message = 'message' in part ? messages[part.message] : undefined
        const added = message ? tokensOf(message, replies, used) : []
        if ('frame' in part) added.push(...read(part.frame, true, tokens.length === 0))
        if (tokens.length === 0 && shouldPrependBosToken && bos !== null && added[0] !== bos) tokens.push(bos)
        for (const token of added) tokens.push(token)
      }
      if (used.size < replies.length) kept.set(sessionId, [...used])
      return { tokens, opener: template.opener === '' ? 0 : read(template.opener, true).length }
    },
    keep(sessionId, reply) {
      const replies = kept.get(sessionId) ?? []
      kept.delete(sessionId)
      kept.set(sessionId, [...replies.filter(each => each.text !== reply.text), reply])
      for (const oldest of kept.keys()) {
        if (kept.size <= keptSessions) break
        kept.delete(oldest)
      }
    },
  }
}

/** Give the beginning of the reply a part of its own, so that it has the same tokens now and as part of a past reply. */
function splitOff(opener: string, parts: PromptPart[]): PromptPart[] {
  const last = parts.at(-1)
  if (opener === '' || !last || !('frame' in last)) return parts
  return [...parts.slice(0, -1), { frame: last.frame.slice(0, -opener.length) }, { frame: opener }]
}

const roleOf = (role: WireMessage['role']): Role => (role === 'tool' ? 'user' : role)

/** Whether a vocabulary puts a space before every text, which in the middle of a prompt would be wrong. */
export function addsSpace({ fileInfo }: LlamaModel): boolean {
  const { ggml } = fileInfo.metadata.tokenizer ?? {}
  return ggml?.model === 'llama' && ggml.add_space_prefix !== false
}

function tokenReader(model: LlamaModel) {
  const isSpaced = addsSpace(model)
  return (text: string, special: boolean, isFirst = false): Token[] =>
    isSpaced && !isFirst ? model.tokenize(text, special, 'trimLeadingSpace') : model.tokenize(text, special)
}
