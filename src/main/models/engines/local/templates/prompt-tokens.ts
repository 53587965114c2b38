import type { LlamaModel, Token } from 'node-llama-cpp'
import type { Prompt, WireMessage } from '../../../interface/engine.ts'
import type { ChatTemplate } from './chat-template.ts'
import type { Refusal } from '../../../../../shared/contract/models/model.ts'
import { splitOpener, type PromptPart, type Turn } from './fill-chat-template.ts'
import { tokensOfStart, type Reply } from '../decoding/reply-text.ts'
import { cutThinkingMarks, findThinkingMarks } from './thinking-marks.ts'
import { findMarkup, cutMarkup, splitMarked } from './find-markup.ts'

/** Converts conversations to tokens, the same way every time. */
export type PromptWriter = {
  /**
   * The tokens of a conversation up to the reply. The last `opener` tokens already belong to the reply. The first
   * `frozen` tokens are the same in every conversation with the same system prompt. With `begin`, a thought that the
   * template opens is closed again, and trailing blanks of `begin` are left to the model, because it writes them as
   * part of the next word. With `written`, the prompt ends with that text, in the tokens that the model wrote it in. `end` is the last
   * piece of the template, with what it leaves open; empty where the reply tells of that itself. `refusal` tells how the
   * conversation was written where the template refuses it.
   */
  write(prompt: Pick<Prompt, 'sessionId' | 'messages' | 'begin' | 'written' | 'thinking'>): {
    tokens: Token[]
    opener: number
    frozen: number
    end: string
    refusal: Refusal | undefined
  }
  /** Remember the tokens of a reply, because tokenizing its text again may give others. */
  keep(sessionId: string, reply: Reply): void
  /** The replies of a conversation that are remembered; undefined for one that is not known. */
  kept(sessionId: string): readonly Reply[] | undefined
  /** Forget the replies of a conversation, or of all of them. */
  forget(sessionId: string | undefined): void
}

const keptSessions = 32
const control = 3
const userDefined = 4

/** Create a writer for one model. */
export function createPromptWriter(model: LlamaModel, usual: ChatTemplate): PromptWriter {
  const read = tokenReader(model)
  const kept = new Map<string, Reply[]>()
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

  // Where a template looks into the instructions alone, a word in a question does what the setting does, and is taken out.
  const isOurs = usual.marksIn === 'instructions'
  const ownMarks = (message: WireMessage) =>
    isOurs && message.role === 'user' ? findThinkingMarks(message) : []
  const readsMarksOf = ({ role }: WireMessage) =>
    usual.marksIn === 'messages' || (isOurs && role === 'system')
  const askedIn = (messages: readonly WireMessage[]): Prompt['thinking'] => {
    const newest = isOurs && messages.flatMap(ownMarks).at(-1)
    return newest ? (newest === '/think' ? 'on' : 'off') : undefined
  }

  const afterMarks = usual.marksIn
    ? ([undefined, 'off', 'on'] as const).map(thinking => usual.withThinking(thinking))
    : []

  /** The prompt up to a reply that has begun already: templates write such a reply as a past one. */
  const upToReply = (turns: readonly Turn[], generated: boolean, layOut: LayOut): PromptPart[] => {
    const all = [
      ...turns,
      { role: 'assistant', generated } as const,
      { role: 'user', generated: false } as const,
    ]
    const parts = layOut(all)
    return parts.slice(
      0,
      parts.findIndex(part => 'message' in part && part.message === turns.length),
    )
  }

  const tokensWritten = (written: string, goesOn: Begun | undefined): Token[] => {
    if (!goesOn) return readPlain(written)
    const { tokens, covers } = tokensOfStart(goesOn.reply, goesOn.end)
    return [...(tokens as Token[]), ...readPlain(goesOn.reply.text.slice(covers, goesOn.end))]
  }

  return {
    write({ sessionId, messages: all, begin = '', written = '', thinking }) {
      const template = usual.withThinking(askedIn(all) ?? thinking)
      let refusal: Refusal | undefined
      const layOut: LayOut = each => template.layOut(each, said => (refusal = said))
      const replies = kept.get(sessionId) ?? []
      const used = new Set<Reply>()
      const goesOn = written === '' ? undefined : replyThatBegan(written, replies)
      if (goesOn) used.add(goesOn.reply)
      const messages = all.filter(message => message.role !== 'system' || message.text !== '')
      const tokens: Token[] = []
      let frozen = 0
      const { bos, shouldPrependBosToken } = model.tokens
      const turns = messages.map((message): Turn => {
        const { role, generated = false, name, idInText: id } = message
        const marks = readsMarksOf(message) ? findThinkingMarks(message) : []
        return { role, generated, name, id, ...(marks.length > 0 && { marks }) }
      })
      const { parts, opener } =
        written === ''
          ? splitReplyStart(layOut(turns), [template, ...afterMarks])
          : { parts: upToReply(turns, goesOn !== undefined, layOut), opener: '' }
      const asked = messages.findIndex(message => message.role !== 'system')
      for (const part of parts) {
        const message = 'message' in part ? messages[part.message] : undefined
        // The text before a question is the same in every chat. Before a reply it may differ.
        if ('message' in part && part.message === asked && message?.role === 'user') frozen = tokens.length
        const { quoted = 0, removed = [] } = 'message' in part ? part : {}
        const sent =
          message && cutThinkingMarks(escapeQuoted(message, quoted), [...removed, ...ownMarks(message)])
        const added = sent ? tokensOf(sent, replies, used) : []
        if ('frame' in part) added.push(...read(part.frame, true, tokens.length === 0))
        if (tokens.length === 0 && shouldPrependBosToken && bos !== null && !added.includes(bos))
          tokens.push(bos)
        for (const token of added) tokens.push(token)
        if (message?.role === 'system') frozen = tokens.length
      }
      if (used.size < replies.length) kept.set(sessionId, [...used])
      // After a result a template may open no thought, and then there is none to close.
      const isUsual = opener === template.opener && !isQuiet(parts, template)
      const quiet = (isUsual ? template.quietOpener : undefined) ?? closeThought(opener)
      const start = begin === '' ? opener : quiet + begin.replace(/(?<! ) +$/, '')
      const begun = written !== '' ? tokensWritten(written, goesOn) : start === '' ? [] : read(start, true)
      for (const token of begun) tokens.push(token)
      const last = parts.at(-1)
      const end = last && 'frame' in last && begun.length === 0 ? last.frame : ''
      return { tokens, opener: begun.length, frozen, end, refusal }
    },
    kept: sessionId => kept.get(sessionId),
    forget: sessionId => void (sessionId === undefined ? kept.clear() : kept.delete(sessionId)),
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

/** Whether a mark has switched thinking off, so that no thought needs to be closed. */
function isQuiet(parts: readonly PromptPart[], { marksIn, quietOpener = '' }: ChatTemplate): boolean {
  const last = parts.at(-1)
  return (
    marksIn !== undefined &&
    quietOpener !== '' &&
    last !== undefined &&
    'frame' in last &&
    last.frame.endsWith(quietOpener)
  )
}

type LayOut = (turns: readonly Turn[]) => PromptPart[]

/** What a template writes where a reply begins belongs to the reply. After a mark it may be what it writes with thinking off. */
function splitReplyStart(parts: PromptPart[], templates: readonly ChatTemplate[]) {
  for (const { opener } of templates) {
    const split = splitOpener(parts, opener)
    if (split.opener !== '') return split
  }
  return { parts, opener: '' }
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
