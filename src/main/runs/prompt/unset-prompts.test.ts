import { createHash } from 'node:crypto'
import { someSections } from '../../../../testing/runs/some-sections.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aChat, aStore } from '../../../../testing/db/a-store.ts'
import { scriptedEngine } from '../../../../testing/models/scripted.ts'
import { isFailure, type ModelProfile } from '../../models/interface/engine.ts'
import { createRegistry } from '../../tools/registry/registry.ts'
import { defineTool } from '../../tools/registry/tool.ts'
import { prepareTurn } from '../prepare-turn.ts'

/** Tools with the names that the guidance knows. */
const TOOLS = ['read_file', 'memory', 'session_search', 'skill_manage'].map(name =>
  defineTool({
    name,
    says: `Says ${name}.`,
    input: z.object({ path: z.string() }),
    toolset: 'files',
    risk: 'read',
    intent: async () => ({ refused: 'no' }),
    run: async () => ({ ok: true, text: '' }),
  }),
)

/** The frozen prompts of a chat without settings, from before projects: the SHA-256 of prompt and key. */
const KNOWN: readonly (readonly [string, ModelProfile, string])[] = [
  ['the built-in model', { strategy: 'text', contextTokens: 4_096, guided: true }, 'd10c3fbd1a1505f0'],
  ['a small window', { strategy: 'text', contextTokens: 8_192, toolRole: true }, '469a2558e9dcc12e'],
  ['a large window', { strategy: 'text', contextTokens: 131_072 }, 'c9b7557a1e4a4071'],
  ['a server', { strategy: 'structured', contextTokens: 200_000 }, '612a31a1c40e1b44'],
]

test.each(KNOWN)(
  'where nothing is set, the prompt is the same bytes as before: %s',
  async (_, profile, hash) => {
    using store = aStore()
    const now = () => Date.parse('2026-11-21T12:00:00')
    const { id } = aChat(store)
    const prepared = await prepareTurn(
      {
        home: store.home,
        sessions: store.sessions,
        sections: someSections({ home: store.home, now }),
        registry: createRegistry(TOOLS),
        engineFor: async () => ({ ...scriptedEngine({ replies: [] }), profile: async () => profile }),
        maxIterations: () => 20,
        now,
      },
      store.sessions.get(id)!,
    )
    if (isFailure(prepared)) throw new Error(prepared.text)
    const [kept] = store.sessions.frozenPrompts(id)
    const bytes = JSON.stringify([kept!.key, prepared.system])
    expect(createHash('sha256').update(bytes).digest('hex').slice(0, 16)).toBe(hash)
  },
)
