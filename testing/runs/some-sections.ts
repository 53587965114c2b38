import { ownSections } from '../../src/main/agent/own-sections.ts'
import type { PromptSection } from '../../src/main/agent/prompt.ts'
import { createChatMemory } from '../../src/main/memory/chat-memory.ts'
import type { MemoryForChat } from '../../src/main/memory/open-memory.ts'
import { chatSections } from '../../src/main/runs/prompt/chat-sections.ts'

/** An empty memory. */
export const nothingKnown: MemoryForChat = {
  user: [],
  notes: [],
  project: [],
  capacity: { user: { used: 0, limit: 1_375 }, memory: { used: 0, limit: 2_200 } },
}

type Given = {
  home?: string
  now?(): number
  memory?: MemoryForChat | undefined
  trusts?: boolean | undefined
}

/** The prompt sections of the host, without those for skills, servers and projects. */
export function someSections({
  home = '/nowhere',
  now = Date.now,
  memory = nothingKnown,
  trusts = true,
}: Given = {}): PromptSection[] {
  const inChats = createChatMemory({
    notebook: { forChat: () => memory, used: () => undefined },
    isUsed: () => true,
    notesOf: ({ workspace }) => workspace,
    chosenFor: () => undefined,
  })
  return [
    ...ownSections({ home, now }),
    ...inChats.sections,
    ...chatSections({ home, trusts: () => trusts, projects: { of: () => undefined } }),
  ]
}
