import { ownSections } from '../../src/main/agent/own-sections.ts'
import { buildPrompt, joinSections } from '../../src/main/agent/prompt.ts'
import type { PromptInput } from '../../src/main/agent/prompt.ts'

type Given = Partial<Pick<PromptInput, 'edition' | 'tools' | 'toolText'>> & {
  workspace?: string
  day?: string
  /** Texts of other features, by their place in the order. */
  more?: Record<number, string>
}

/** Build the agent's own prompt, with the texts of other features between its sections. */
export async function aPrompt(given: Given = {}): Promise<string> {
  const { edition = 'compact', tools = [], toolText = '', workspace = '/home/ada/notes', more = {} } = given
  const now = () => Date.parse(`${given.day ?? '2026-11-21'}T12:00:00`)
  const others = Object.entries(more).map(([order, text]) => ({
    name: `other_${order}`,
    title: 'Other',
    order: Number(order),
    text: () => text,
  }))
  const input = { session: { workspace }, edition, tools, toolText, trained: undefined }
  return joinSections(await buildPrompt([...ownSections({ home: undefined, now }), ...others], input))
}
