import { byCount } from '../text/amounts.ts'
import type { Model, Refusal, Rereads, ToolsVerdict } from '../contract/models/model.ts'
import type { Session } from '../contract/chats/session.ts'

/**
 * The note about a model file without a chat template: when it is added, on its card, and once in each chat
 * with it.
 */
export const BASE_MODEL =
  'This looks like a base model: it continues texts and does not answer. Its file has no chat template. For chats, use a model that was trained to follow instructions; its name often contains “Instruct”, “Chat” or “it”.'

const GENERAL_FORM =
  'Chats are rendered in a general form instead. The model may not know this form, so its answers can be worse.'

const VERDICTS = {
  work: 'Tools work',
  helped: 'Tools work with help',
  fail: 'Tools do not work',
} as const satisfies Record<ToolsVerdict['tools'], string>

/** The badge about the tools of a model. The built-in model was tested with tools before release. */
export function toolsBadge({ demo, tools, file }: Pick<Model, 'demo' | 'tools' | 'file'>): string {
  if (demo) return 'Tools'
  if (tools) return VERDICTS[tools.tools]
  return file?.madeForTools ? 'Made for tools, not tested yet' : 'Tools not tested yet'
}

/**
 * What a model cannot do in a chat, as its tool test has shown; undefined if its tools work or were not
 * tested.
 */
export function toolsNote({ tools }: Pick<Model, 'tools'>): string | undefined {
  if (!tools || tools.tools === 'work') return undefined
  if (tools.tools === 'fail')
    return 'In its tool test, this model did not make every call that was needed. In a chat it can talk, but it may not be able to do anything.'
  return tools.byItself === 0
    ? 'In a chat this model calls no tools by itself: in its tool test, it did so only with help. The decider starts the calls, unless it is off in the chat.'
    : `In a chat this model does not always call tools by itself: in its tool test, it did so ${tools.byItself} of ${tools.of} times.`
}

/** Explain that the chat template of a model cannot be used; undefined if it can. */
export function templateNote({ file }: Pick<Model, 'file'>): string | undefined {
  const problem = file?.templateProblem ?? null
  return problem === null ? undefined : `${problem} ${GENERAL_FORM}`
}

const IT_IS_WRITTEN = {
  fewer_roles: 'The chat is rendered with fewer roles than usual.',
  general: 'The chat is rendered in a general form that the model may not know, so its answers can be worse.',
} as const satisfies Record<Refusal['as'], string>
const THOSE_ARE_WRITTEN = {
  fewer_roles: 'Those chats are rendered with fewer roles than usual.',
  general:
    'Those chats are rendered in a general form that the model may not know, so its answers can be worse.',
} as const satisfies Record<Refusal['as'], string>

/** The note that a chat shows once if its model’s chat template refuses the chat. */
export const sayRefusal = ({ as, why }: Refusal): string =>
  `The chat template of this model rejects this chat (${withoutStop(why)}). ${IT_IS_WRITTEN[as]}`

/**
 * The note about a model whose chat template refuses some chats; undefined if it accepts all that were
 * tested.
 */
export const refusalNote = ({ file }: Pick<Model, 'file'>): string | undefined =>
  file?.refuses ? sayRefusals(file.refuses) : undefined

/** Explain that a chat template refuses some chats. */
export function sayRefusals({ as, why }: Refusal): string {
  return `Its chat template rejects some chats (${withoutStop(why)}). ${THOSE_ARE_WRITTEN[as]}`
}

const withoutStop = (text: string): string => text.replace(/[.!]$/, '')

const BEHIND = {
  start: 'at the beginning',
  system: 'after the instructions',
  user: 'after one of your messages',
  assistant: 'after an answer',
  tool: 'after a tool result',
} as const satisfies Record<Rereads['behind'], string>

/** Explain why a model rereads a chat, in two sentences. */
export function sayRereads({ part, behind, was, becomes }: Rereads): string {
  const what =
    part === 'chat'
      ? 'This model rereads the whole chat at each turn, so long chats get slower.'
      : 'With each new question this model rereads the answer before it.'
  return `${what} ${sayChange(BEHIND[behind], was, becomes)}`
}

function sayChange(place: string, was: string, becomes: string): string {
  if (was === '')
    return becomes === ''
      ? `The reason: its chat template writes something else ${place} only when the chat continues.`
      : `The reason: its chat template writes “${becomes}” ${place} only when the chat continues.`
  return becomes === ''
    ? `The reason: its chat template writes “${was}” ${place} at first, and leaves it out when the chat continues.`
    : `The reason: its chat template writes “${was}” ${place} at first, and “${becomes}” when the chat continues.`
}

const CAN_BE_SET = {
  off: 'its chat template can switch it off',
  on: 'its chat template can switch it on',
} as const

/** Say how the thinking of a local model can be set. */
export function sayThinking(thinking: readonly ('on' | 'off')[]): string {
  if (thinking.length > 1) return 'its chat template can switch it on and off'
  return thinking[0] === undefined ? 'its chat template has no switch for it' : CAN_BE_SET[thinking[0]]
}

/** Whether a word turns thinking on or off for models that know it. */
export const isThinkingMark = (word: string): boolean => /^\/(?:no_?think|think)$/.test(word)

/** The note that a chat shows once: its model only continues texts, or calls no tools by itself. */
export const modelNote = (model: Pick<Model, 'tools' | 'file'>): string | undefined =>
  model.file?.base ? BASE_MODEL : (templateNote(model) ?? toolsNote(model))

/** The number of simultaneous chats that a memory figure is for. */
export const sayForChats = (chats: number): string => byCount(chats, 'for one chat', `for ${chats} chats`)

/** Say whether the decider is on in a chat, and why. */
export function sayDecider(
  { decider, approval }: Pick<Session, 'decider' | 'approval'>,
  model: Pick<Model, 'demo' | 'tools'> | undefined,
): string {
  if (model?.demo) return 'The decider is not used here: the built-in model decides by itself.'
  if (decider === 'off') return 'The decider is off in this chat: tools are called only by the model.'
  if (decider === null && !model?.tools)
    return 'The decider is off in this chat, because the tools of this model were not tested yet (“Test tools” on the Models page, or talaria models test).'
  if (decider === null && model?.tools?.byItself !== 0)
    return 'The decider is off in this chat, because this model calls tools by itself.'
  return [
    decider === 'on'
      ? 'The decider is on in this chat.'
      : 'The decider is on in this chat, because this model calls no tools by itself.',
    'It starts the call that a message in English asks for, and asks before it writes or runs anything.',
    ...(approval === 'chat_only' ? ['This chat has no tools, so it does nothing now.'] : []),
  ].join(' ')
}
