/** The arguments that a model wrote, as the chat will give them back; nothing means none, and so does what is no JSON. */
export function parsedArguments(text: string): unknown {
  try {
    const parsed: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return (typeof parsed === 'string' ? JSON.parse(parsed) : parsed) ?? {}
  } catch {
    return {}
  }
}
