import type { LlamaModel, Token } from 'node-llama-cpp'
import type { Prompt, WireMessage } from '../../engine.ts'
import type { ChatTemplate } from './chat-template.ts'
import { splitOpener, type PromptPart, type Turn } from './fill-template.ts'
import { tokensOfStart, type Reply } from './reply-text.ts'
import { findMarkup, cutMarkup, splitMarked } from './find-markup.ts'

/** Converts conversations to tokens, the same way every time. */
export type PromptWriter = {
  /**
   * The tokens of a conversation up to the reply. The last `opener` tokens already belong to the reply. The first
   * `frozen` tokens are the same in every conversation with the same system prompt. With `begin`, a thought that the
   * template opens is closed again, and trailing blanks of `begin` are left to the model, because it writes them as
   * part of the next word. With `written`, the prompt ends with that text, in the tokens that the model wrote it in. `end` is the last
   * piece of the template, with what it leaves open; empty where the reply tells of that itself. `notice` is for the person: why the
   * template could not be used for this conversation, the first time.
   */
  write(prompt: Pick<Prompt, 'sessionId' | 'messages' | 'begin' | 'written'>): {
    tokens: Token[]
    opener: number
    frozen: number
    end: string
    notice?: string
  }
  /** Remember the tokens of a reply, because tokenizing its text again may give others. */
  keep(sessionId: string, reply: Reply): void
  /** Forget the replies of a conversation. */
  forget(sessionId: string): void
}

const keptSessions = 32
const control = 3
const userDefined = 4

/** Create a writer for one model. */
export function createPromptWriter(model: LlamaModel, template: ChatTemplate): PromptWriter {
  const read = tokenReader(model)
  const kept = new Map<string, Reply[]>()
  const told = new Set<string>()
  const { ggml } = model.fileInfo.metadata.tokenizer ?? {}
  const types = ggml?.token_type ?? []
  const ofType = (wanted: number) =>
    (ggml?.tokens ?? []).filter((_, token) => Number(types[token]) === wanted)
  const alwaysTokens = ofType(userDefined)
  const pattern = findMarkup(alwaysTokens)
  const anyMarkup = findMarkup([...ofType(control), ...alwaysTokens])

  const readPlain = (text: string): Token[] =>
    cutMarkup(text, pattern).flatMap(piece => (piece === '' ? [] : read(piece, false)))

  /** Text of the program: special tokens only in its marked spans. Without spans, all of it is plain text. */
  const readTrusted = ({ text, markup }: WireMessage, special: boolean): Token[] =>
    markup
      ? splitMarked(text, markup, anyMarkup).flatMap(piece =>
          piece.isMarkup ? read(piece.text, true) : readPlain(piece.text),
        )
      : read(text, special)

  /** Template text may contain control tokens, text of the user may not, and a reply keeps its original tokens. */
  const tokensOf = (message: WireMessage, replies: readonly Reply[], used: Set<Reply>): Token[] => {
    const { text, role } = message
    if (role === 'user' || role === 'tool') return readPlain(text)
    if (!message.generated) return readTrusted(message, false)
    const reply = replies.find(each => each.text === text) ?? replies.find(each => each.text.startsWith(text))
    if (!reply) return readTrusted(message, true)
    used.add(reply)
    const { tokens, covers } = tokensOfStart(reply, text.length)
    return [...(tokens as Token[]), ...read(text.slice(covers), true)]
  }

  /** The prompt up to a reply that has begun already: templates write such a reply as a past one. */
  const upToReply = (turns: readonly Turn[], generated: boolean): PromptPart[] => {
    const all = [
      ...turns,
      { role: 'assistant', generated } as const,
      { role: 'user', generated: false } as const,
    ]
    const parts = template.layOut(all)
    return parts.slice(
      0,
      parts.findIndex(part => 'message' in part && part.message === turns.length),
    )
  }

  const noticeFor = (sessionId: string): { notice: string } | undefined => {
    const { failure } = template
    if (failure === undefined || told.has(sessionId)) return undefined
    if (told.size >= keptSessions) told.clear()
    told.add(sessionId)
    return {
      notice: `The chat template of the model cannot write this chat: ${failure} The chat goes on in a common form instead, in which answers may be worse.`,
    }
  }

  const tokensWritten = (written: string, goesOn: Begun | undefined): Token[] => {
    if (!goesOn) return readPlain(written)
    const { tokens, covers } = tokensOfStart(goesOn.reply, goesOn.end)
    return [...(tokens as Token[]), ...readPlain(goesOn.reply.text.slice(covers, goesOn.end))]
  }

  return {
    write({ sessionId, messages: all, begin = '', written = '' }) {
      const replies = kept.get(sessionId) ?? []
      const used = new Set<Reply>()
      const goesOn = written === '' ? undefined : replyThatBegan(written, replies)
      if (goesOn) used.add(goesOn.reply)
      const messages = all.filter(message => message.role !== 'system' || message.text !== '')
      const tokens: Token[] = []
      let frozen = 0
      const { bos, shouldPrependBosToken } = model.tokens
      const turns = messages.map(({ role, generated = false, name, idInText }): Turn => ({
        role,
        generated,
        name,
        id: idInText,
      }))
      const { parts, opener } =
        written === ''
          ? splitOpener(template.layOut(turns), template.opener)
          : { parts: upToReply(turns, goesOn !== undefined), opener: '' }
      const asked = messages.findIndex(message => message.role !== 'system')
      for (const part of parts) {
        const message = 'message' in part ? messages[part.message] : undefined
        // The text before a question is the same in every chat. Before a reply it may differ.
        if ('message' in part && part.message === asked && message?.role === 'user') frozen = tokens.length
        const quoted = 'message' in part ? (part.quoted ?? 0) : 0
        const added = message ? tokensOf(escapeQuoted(message, quoted), replies, used) : []
        if ('frame' in part) added.push(...read(part.frame, true, tokens.length === 0))
        if (tokens.length === 0 && shouldPrependBosToken && bos !== null && !added.includes(bos))
          tokens.push(bos)
        for (const token of added) tokens.push(token)
        if (message?.role === 'system') frozen = tokens.length
      }
      if (used.size < replies.length) kept.set(sessionId, [...used])
      // After a result a template may open no thought, and then there is none to close.
      const isUsual = opener === template.opener
      const quiet = (isUsual ? template.quietOpener : undefined) ?? closeThought(opener)
      const start = begin === '' ? opener : quiet + begin.replace(/ +$/, '')
      const begun = written !== '' ? tokensWritten(written, goesOn) : start === '' ? [] : read(start, true)
      for (const token of begun) tokens.push(token)
      const last = parts.at(-1)
      const end = last && 'frame' in last && begun.length === 0 ? last.frame : ''
      return { tokens, opener: begun.length, frozen, end, ...noticeFor(sessionId) }
    },
    forget: sessionId => void kept.delete(sessionId),
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

/** A message as it stands in a text of JSON, or in one inside another. */
function escapeQuoted(message: WireMessage, times: number): WireMessage {
  let { text } = message
  for (let at = 0; at < times; at++) text = JSON.stringify(text).slice(1, -1)
  return times === 0 ? message : { ...message, text }
}

/** A reply that a text began, and where that text ends in it. */
type Begun = { reply: Reply; end: number }

/** The newest reply whose visible text begins like this. Only blanks or a thought may precede it. */
function replyThatBegan(text: string, replies: readonly Reply[]): Begun | undefined {
  for (const reply of replies.toReversed())
    for (let at = reply.text.indexOf(text); at >= 0; at = reply.text.indexOf(text, at + 1))
      if (/(?:^|[>\]])\s*$/.test(reply.text.slice(0, at))) return { reply, end: at + text.length }
  return undefined
}

/** An empty thought, as most models know it from prompts that disable thinking, where the template does not say how. */
function closeThought(opener: string): string {
  const tag = /(?:<\w[\w:]*>|\[[A-Z]+\]|<\|START_\w+\|>)\s*$/.exec(opener)?.[0].trim()
  if (tag === undefined) return opener
  const end = tag.startsWith('<|') ? tag.replace('START', 'END') : `${tag.charAt(0)}/${tag.slice(1)}`
  return `${opener.trimEnd()}\n\n${end}\n\n`
}

/** Whether the tokenizer puts a space before every text, which would be wrong in the middle of a prompt. */
export function addsSpace({ fileInfo }: LlamaModel): boolean {
  const { ggml } = fileInfo.metadata.tokenizer ?? {}
  return ggml?.model === 'llama' && ggml.add_space_prefix !== false
}

function tokenReader(model: LlamaModel) {
  const isSpaced = addsSpace(model)
  return (text: string, special: boolean, isFirst = false): Token[] =>
    isSpaced && !isFirst ? model.tokenize(text, special, 'trimLeadingSpace') : model.tokenize(text, special)
}
