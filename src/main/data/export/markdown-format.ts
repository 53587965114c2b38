import { titleOf, speakerOf, timeOf, type ChatFormat } from './chat-format.ts'

/** Chats as Markdown. Texts stand as they are; what tools were given and said is quoted as code. */
export const markdownFormat: ChatFormat = {
  *begin() {},
  *chat(chat, position) {
    if (position > 0) yield '\n---\n\n'
    const { id, createdAt, folder, model } = chat
    yield `# ${titleOf(chat)}\n\n${timeOf(createdAt)} · ${model} · ${folder} · ${id}\n`
  },
  *message(message) {
    yield `\n## ${speakerOf(message)}, ${timeOf(message.at)}\n\n`
    if (message.role === 'tool') return yield fenced(message.text)
    if (message.role === 'user' && message.skill) yield `With the skill ${message.skill.name}.\n\n`
    if (message.role === 'assistant' && message.reasoning !== '')
      yield `Thoughts:\n\n${fenced(message.reasoning)}\n`
    yield `${message.text}\n`
    if (message.role === 'assistant')
      for (const call of message.calls)
        yield `\nCall of ${call.name}:\n\n${fenced(JSON.stringify(call.arguments, null, 2), 'json')}`
  },
  *chatEnd() {},
  *end() {},
}

/** A code block, with a fence that is longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`
}
