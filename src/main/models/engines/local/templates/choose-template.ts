import { readTemplate } from './chat-template.ts'

/** A longer text behind a question asks for an answer in a form of its own. */
const longestOpening = 200

/**
 * A file may hold a template named `tool_use` beside the usual one. It is the better one where the usual one knows nothing
 * of results and this one does, unless it asks for answers in words of its own.
 */
export function chooseTemplate(usual: string | undefined, toolUse: string | undefined): string | undefined {
  if (toolUse === undefined || toolUse === '' || toolUse === usual) return usual
  if (usual !== undefined && /tool/i.test(usual)) return usual
  const { problem, toolRole, layOut } = readTemplate(toolUse, { bos: '<s>', eos: '</s>' })
  if (problem !== undefined || !toolRole) return usual
  const last = layOut([
    { role: 'system', generated: false },
    { role: 'user', generated: false },
  ]).at(-1)
  return last && 'frame' in last && last.frame.length > longestOpening ? usual : toolUse
}

/** The template of the metadata's tokenizer, where names with points are kept as they are. */
export function templateOf(tokenizer: object | undefined): string | undefined {
  const found = new Map<string, unknown>(Object.entries(tokenizer ?? {}))
  const read = (key: string): string | undefined => {
    const value = found.get(key)
    return typeof value === 'string' ? value : undefined
  }
  return chooseTemplate(read('chat_template'), read('chat_template.tool_use'))
}
