import type { LlamaModel, Token } from 'node-llama-cpp'
import type { WireMessage } from '../engine.ts'
import type { ChatTemplate, Role } from './chat-template.ts'
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
      const last = parts.at(-1)
      if (template.opener !== '' && last && 'frame' in last) {
        const frame = last.frame.slice(0, -template.opener.length)
        parts.splice(-1, 1, { frame }, { frame: template.opener })
      }
      const tokens: Token[] = []
      let opener = 0
      parts.forEach((part, at) => {
        const message = 'message' in part ? messages[part.message] : undefined
        const added =
          'frame' in part ? read(part.frame, true, at === 0) : message ? tokensOf(message, replies, used) : []
        for (const token of added) tokens.push(token)
        if (template.opener !== '' && at === parts.length - 1) opener = added.length
      })
      const { bos, shouldPrependBosToken } = model.tokens
      if (shouldPrependBosToken && bos !== null && tokens[0] !== bos) tokens.unshift(bos)
      if (used.size < replies.length) kept.set(sessionId, [...used])
      return { tokens, opener }
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
