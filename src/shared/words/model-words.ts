import { byCount } from '../text/amounts.ts'
import type { Model, Refusal, Rereads, ToolsVerdict } from '../contract/models/model.ts'
import type { Session } from '../contract/chats/session.ts'

/** What is said of a model file without a chat template: when it is added, on its card, and once in each chat with it. */
export const BASE_MODEL =
  'This looks like a base model: it continues texts and does not answer. Its file has no chat template. For chats take one that was made to follow instructions; its name often has “Instruct”, “Chat” or “it” in it.'

const GENERAL_FORM =
  'Chats are written in a general form instead. The model may not know it, so its answers can be worse.'

const VERDICTS = {
  work: 'Tools work',
  helped: 'Tools work with help',
  fail: 'Tools do not work',
} as const satisfies Record<ToolsVerdict['tools'], string>

/** What is known of the tools of a model, as its badge says it. The built-in one was tried with them before it was shipped. */
export function toolsBadge({ demo, tools, file }: Pick<Model, 'demo' | 'tools' | 'file'>): string {
  if (demo) return 'Tools'
  if (tools) return VERDICTS[tools.tools]
  return file?.madeForTools ? 'Made for tools, not tried yet' : 'Tools not tried yet'
}

/** What a model will not do in a chat, as trying it has shown; undefined when its tools work or were not tried. */
export function toolsNote({ tools }: Pick<Model, 'tools'>): string | undefined {
  if (!tools || tools.tools === 'work') return undefined
  if (tools.tools === 'fail')
    return 'When its tools were tried, this model did not make every call that was needed. In a chat it can talk, but it may do nothing.'
  return tools.byItself === 0
    ? 'In a chat this model calls no tools by itself: when it was tried, it did so only with help. The decider begins them for it, unless it is off in the chat.'
    : `In a chat this model does not always call tools by itself: when it was tried, it did so ${tools.byItself} of ${tools.of} times.`
}

/** What it means that the chat template of a model cannot be used; undefined when it can. */
export function templateNote({ file }: Pick<Model, 'file'>): string | undefined {
  const problem = file?.templateProblem ?? null
  return problem === null ? undefined : `${problem} ${GENERAL_FORM}`
}

const IT_IS_WRITTEN = {
  fewer_roles: 'It is written with fewer roles than usual.',
  general: 'It is written in a general form that the model may not know, so its answers can be worse.',
} as const satisfies Record<Refusal['as'], string>
const THOSE_ARE_WRITTEN = {
  fewer_roles: 'Those are written with fewer roles than usual.',
  general: 'Those are written in a general form that the model may not know, so its answers can be worse.',
} as const satisfies Record<Refusal['as'], string>

/** What a chat says once when its model’s chat template refuses it. */
export const sayRefusal = ({ as, why }: Refusal): string =>
  `The chat template of this model does not take this chat as it is (${withoutStop(why)}). ${IT_IS_WRITTEN[as]}`

/** What is said of a model whose chat template refuses some chats; undefined when it takes all that were tried. */
export const refusalNote = ({ file }: Pick<Model, 'file'>): string | undefined =>
  file?.refuses ? sayRefusals(file.refuses) : undefined

/** What it means that a chat template was found to refuse chats. */
export function sayRefusals({ as, why }: Refusal): string {
  return `Its chat template does not take some chats as they are (${withoutStop(why)}). ${THOSE_ARE_WRITTEN[as]}`
}

const withoutStop = (text: string): string => text.replace(/[.!]$/, '')

const BEHIND = {
  start: 'at the beginning',
  system: 'behind the instructions',
  user: 'behind a message of yours',
  assistant: 'behind an answer',
  tool: 'behind a result of a tool',
} as const satisfies Record<Rereads['behind'], string>

/** Why the model reads a chat anew, in two sentences. */
export function sayRereads({ part, behind, was, becomes }: Rereads): string {
  const what =
    part === 'chat'
      ? 'This model reads the whole chat anew in each turn, which takes longer the longer the chat is.'
      : 'With each new question this model reads the answer before it anew.'
  return `${what} ${sayChange(BEHIND[behind], was, becomes)}`
}

function sayChange(place: string, was: string, becomes: string): string {
  if (was === '')
    return becomes === ''
      ? `The reason: its chat template writes something else ${place} only when the chat goes on.`
      : `The reason: its chat template writes “${becomes}” ${place} only when the chat goes on.`
  return becomes === ''
    ? `The reason: its chat template writes “${was}” ${place} at first, and leaves it out when the chat goes on.`
    : `The reason: its chat template writes “${was}” ${place} at first, and “${becomes}” when the chat goes on.`
}

const CAN_BE_SET = {
  off: 'its chat template can switch it off',
  on: 'its chat template can switch it on',
} as const

/** Whether the thinking of a local model can be set, in words. */
export function sayThinking(thinking: readonly ('on' | 'off')[]): string {
  if (thinking.length > 1) return 'its chat template can switch it on and off'
  return thinking[0] === undefined ? 'its chat template has no switch for it' : CAN_BE_SET[thinking[0]]
}

/** Whether a word switches thinking on or off in a chat with a model that knows it. */
export const isThinkingMark = (word: string): boolean => /^\/(?:no_?think|think)$/.test(word)

/** What a chat with a model says once: that it only continues texts, or that it calls no tools by itself. */
export const modelNote = (model: Pick<Model, 'tools' | 'file'>): string | undefined =>
  model.file?.base ? BASE_MODEL : (templateNote(model) ?? toolsNote(model))

/** For how many chats at the same time a figure of memory is. */
export const sayForChats = (chats: number): string => byCount(chats, 'for one chat', `for ${chats} chats`)

/** Whether the decider is on in a chat, and why. */
export function sayDecider(
  { decider, approval }: Pick<Session, 'decider' | 'approval'>,
  model: Pick<Model, 'demo' | 'tools'> | undefined,
): string {
  if (model?.demo) return 'The decider is not used here: the built-in model decides by itself.'
  if (decider === 'off') return 'The decider is off in this chat: tools are called only by the model.'
  if (decider === null && !model?.tools)
    return 'The decider is off in this chat, because the tools of this model were not tried yet (“Test tools” on the Models page, or talaria models test).'
  if (decider === null && model?.tools?.byItself !== 0)
    return 'The decider is off in this chat, because this model calls tools by itself.'
  return [
    decider === 'on'
      ? 'The decider is on in this chat.'
      : 'The decider is on in this chat, because this model calls no tools by itself.',
    'It begins the call that a message in English asks for, and asks before it writes or runs anything.',
    ...(approval === 'chat_only' ? ['This chat has no tools, so it does nothing now.'] : []),
  ].join(' ')
}
