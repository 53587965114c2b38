import { Config } from '../src/main/config/schema.ts'
import { reviewTools } from '../src/main/learning/reviews/review-tools.ts'
import { bundledSkills } from '../src/main/lib/disk/shipped-files.ts'
import { openMemory } from '../src/main/memory/open-memory.ts'
import { openSkills } from '../src/main/skills/open-skills.ts'
import type { Registry } from '../src/main/tools/registry/registry.ts'
import { openBenchStore } from './fill-chats.ts'

/** The tools for reviewing a chat, opened over a home folder as in the host, with the bundled skills. */
export function openReviewTools(home: string, count: (text: string) => number) {
  const store = openBenchStore(home)
  const config = Config.parse({})
  const memory = openMemory({
    home,
    store: store.memory,
    limits: () => ({ user: config.memory.user_limit, memory: config.memory.notes_limit }),
    now: Date.now,
    count,
    onChange: () => {},
  })
  const { library, editor, close } = openSkills({
    home,
    bundled: bundledSkills(),
    store,
    edition: 'bench',
    settings: () => config.skills,
    toolsets: () => [],
    count,
    now: Date.now,
    onChange: () => {},
    report: error => {
      throw error
    },
  })
  const registry = (): Registry =>
    reviewTools(
      {
        memory,
        library,
        editor,
        skills: store.skills,
        by: { sessionId: null, reviewId: null },
        sourceOf: () => null,
        work: [],
        now: Date.now,
      },
      ['memory', 'skills'],
      { asks: true, propose: () => true, refuses: () => undefined, changed: () => {}, heldBack: () => {} },
    )
  return {
    registry,
    options: { budgetTokens: config.learning.budget_tokens, maxSteps: config.learning.review_steps },
    async close() {
      await close()
      store.close()
    },
  }
}
