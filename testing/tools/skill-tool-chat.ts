import { agent, aSkillEditor, done, EVIL, skillText, you } from '../skills/a-skill-editor.ts'
import { createRegistry } from '../../src/main/tools/registry/registry.ts'
import { skillTools } from '../../src/main/skills/tools/skill-tools.ts'
import type { SkillToolParts } from '../../src/main/skills/tools/skill-tool-parts.ts'
import type { Intent, ToolResult } from '../../src/main/tools/registry/tool.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'

// For tests: a real library and editor in separate folders, and chats that call the tools as the loop does.

/** Steps that the scan reports as dangerous. */
export const HARM = `\n\n\`\`\`bash\n${EVIL}\n\`\`\`\n`

/**
 * The turn that a call is made in, and the user's answer if asked; with `full` access there are no questions.
 */
type Turn = {
  askedId?: number
  sessionId?: string
  answer?: 'yes' | 'no' | 'full'
  contextTokens?: number
}

/** Create the folders, which are removed on dispose. */
export function aSkillToolChat() {
  const editor = aSkillEditor()
  const parts = editor.start()
  const { at } = editor

  function chat(given: Partial<SkillToolParts> = {}) {
    const tools = skillTools({ ...parts, uses: () => true, learns: () => true, now: () => 5_000, ...given })
    const registry = createRegistry(tools)
    /** The calls that the user was asked about. */
    const asked: Intent[] = []
    /** The intents of all calls. */
    const intents: Intent[] = []

    async function call(name: string, args: Record<string, unknown>, turn: Turn = {}): Promise<ToolResult> {
      const checked = registry.validate(name, args)
      if (!checked.ok) return checked
      const { askedId = 1, sessionId = 'chat', answer = 'yes' } = turn
      const context = {
        workspace: at('project'),
        home: at('home'),
        sessionId,
        askedId,
        access: 'unconfined' as const,
      }
      const tool = registry.get(name)!
      const intent = await tool.intent(checked.value, context)
      if (isRefusal(intent)) return { ok: false, reason: intent.refused }
      intents.push(intent)
      const isAsked = intent.confirm !== undefined && answer !== 'full'
      if (isAsked) asked.push(intent)
      if (isAsked && answer !== 'yes') return { ok: false, reason: 'denied' }
      return tool.run(checked.value, {
        ...context,
        ...(isAsked && { byUser: true }),
        ...(turn.contextTokens !== undefined && { contextTokens: turn.contextTokens }),
        signal: new AbortController().signal,
        output: () => {},
      })
    }
    return {
      registry,
      asked,
      intents,
      manage: (args: Record<string, unknown>, turn?: Turn) => call('skill_manage', args, turn),
      view: (name: string, file?: string, turn?: Turn) =>
        call('skill_view', { name, ...(file !== undefined && { file_path: file }) }, turn),
      list: (category?: string, { query, ...turn }: Turn & { query?: string } = {}) =>
        call(
          'skills_list',
          { ...(category !== undefined && { category }), ...(query !== undefined && { query }) },
          turn,
        ),
    }
  }

  return {
    ...parts,
    at,
    put: editor.put,
    /** Write a skill as the user. */
    write: (name: string, body?: string, category = '') =>
      done(parts.editor.create({ name, category, text: skillText(name, body) }, you)),
    /** Make a skill of the agent dangerous from outside. */
    spoil(name: string) {
      done(parts.editor.create({ name, category: '', text: skillText(name) }, agent))
      editor.put(`home/skills/${name}/SKILL.md`, skillText(name, HARM))
    },
    chat,
    [Symbol.dispose]() {
      parts.library.close()
      editor[Symbol.dispose]()
    },
  }
}
