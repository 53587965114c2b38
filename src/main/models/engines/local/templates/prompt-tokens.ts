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
   * Return the tokens of a conversation up to the reply. The last `opener` tokens already belong to the
   * reply. The first `frozen` tokens are the same in every conversation with the same system prompt. With
   * `begin`, a thought that the template opens is closed again. Trailing spaces of `begin` are left to the
   * model, because it writes them as part of the next word. With `written`, the prompt ends with that text,
   * in the tokens that the model wrote. `end` is the last piece of the template, which shows what it leaves
   * open; empty if the start of the reply already shows it. `refusal` says how the conversation was written
   * if the template refuses it.
   */
  write(prompt: Pick<Prompt, 'sessionId' | 'messages' | 'begin' | 'written' | 'thinking'>): {
    tokens: Token[]
    opener: number
    frozen: number
    end: string
    refusal: Refusal | undefined
  }
  /** Remember the tokens of a reply, because tokenizing its text again may give other tokens. */
  keep(sessionId: string, reply: Reply): void
  /** Return the remembered replies of a conversation; undefined if it is unknown. */
  kept(sessionId: string): readonly Reply[] | undefined
  /** Forget the replies of a conversation, or of all conversations. */
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

  /**
   * Read our own text: special tokens only in marked spans. Without spans, `special` applies to all of it.
   */
  const readTrusted = ({ text, markup }: WireMessage, special: boolean): Token[] =>
    markup
      ? splitMarked(text, markup, anyMarkup).flatMap(piece =>
          piece.isMarkup ? read(piece.text, true) : readPlain(piece.text),
        )
      : read(text, special)

  /** Read a message. User text must not contain control tokens, and a reply keeps its original tokens. */
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

  // If a template reads only the instructions, a mark in a question acts like the setting and is removed.
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

  /** Lay out the prompt up to a reply that has already begun, which templates render as a finished one. */
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

/** Split off the start of the reply. After a thinking mark it may be the text for thinking off. */
function splitReplyStart(parts: PromptPart[], templates: readonly ChatTemplate[]) {
  for (const { opener } of templates) {
    const split = splitOpener(parts, opener)
    if (split.opener !== '') return split
  }
  return { parts, opener: '' }
}

/** Escape a message for a JSON text, `times` times if such texts are nested. */
function escapeQuoted(message: WireMessage, times: number): WireMessage {
  let { text } = message
  for (let at = 0; at < times; at++) text = JSON.stringify(text).slice(1, -1)
  return times === 0 ? message : { ...message, text }
}

/** The reply that starts with the text so far, and where that text ends in it. */
type Begun = { reply: Reply; end: number }

/** Find the newest reply whose visible text starts with `text`, after only whitespace or a thought. */
function replyThatBegan(text: string, replies: readonly Reply[]): Begun | undefined {
  for (const reply of replies.toReversed())
    for (let at = reply.text.indexOf(text); at >= 0; at = reply.text.indexOf(text, at + 1))
      if (/(?:^|[>\]])\s*$/.test(reply.text.slice(0, at))) return { reply, end: at + text.length }
  return undefined
}

/** Close the thought as an empty one, the usual way to disable thinking if the template does not say how. */
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
