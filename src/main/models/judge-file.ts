/**
 * What a model file is. `other`: it cannot chat at all, as an embedding model. `base`: it continues texts and was never taught to
 * answer. `chat`: it answers.
 */
type FileKind = 'other' | 'base' | 'chat'

/** What is known of a file before any of its weights are loaded. */
type Header = { architecture: string; chatTemplate: string | undefined }

/** What a model file is, and whether it was made to call tools. Whether it really calls them is found out by trying. */
export type FileJudgement = { kind: FileKind; madeForTools: boolean }

/** Architectures of embedding models and image encoders, which cannot chat. */
const CANNOT_CHAT = /bert|^clip$|^t5encoder$|embedding|reranker/

/** What templates write where they tell of tools, or of functions, as some call them. */
const TELLS_OF_TOOLS = /tool|function/i

/**
 * Tell what a model file is, from its header alone. Makers write a chat template into every model that they taught to answer, so
 * a file without one is a base model, or was stripped of it; either way the model is not asked as it was taught. A template that
 * tells of no tools is no sign of a base model: it answers, and only calls nothing by itself.
 */
export function judgeFile({ architecture, chatTemplate }: Header): FileJudgement {
  if (CANNOT_CHAT.test(architecture)) return { kind: 'other', madeForTools: false }
  if (isBlank(chatTemplate)) return { kind: 'base', madeForTools: false }
  return { kind: 'chat', madeForTools: TELLS_OF_TOOLS.test(withoutComments(chatTemplate)) }
}

const isBlank = (template: string | undefined): template is undefined | '' =>
  template === undefined || template.trim() === ''

/** Comments of a template never reach the model. */
const withoutComments = (template: string): string => template.replaceAll(/\{#[\s\S]*?#\}/g, '')
