import { readTemplate } from './chat-template.ts'

/** Maximum length of the text after a question. A longer text demands answers in a special form. */
const longestOpening = 200

/**
 * Choose between the default template of a file and its template named `tool_use`. The latter is better if
 * only it supports tool results, unless it demands answers in a special form.
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

/** Return the template in the metadata of a tokenizer. Names with dots are kept as keys there. */
export function templateOf(tokenizer: object | undefined): string | undefined {
  const found = new Map<string, unknown>(Object.entries(tokenizer ?? {}))
  const read = (key: string): string | undefined => {
    const value = found.get(key)
    return typeof value === 'string' ? value : undefined
  }
  return chooseTemplate(read('chat_template'), read('chat_template.tool_use'))
}
