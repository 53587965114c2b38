import type { Review } from '../../../shared/contract/learned/learning.ts'
import type { MemoryProject } from '../../../shared/contract/learned/memory.ts'
import type { Memory } from '../../memory/open-memory.ts'
import type { Library, SkillBy, SkillEditor } from '../../skills/skill-types.ts'
import type { Store } from '../../db/store.ts'
import { memoryTool } from '../../memory/memory-tool.ts'
import { createRegistry, type Registry } from '../../tools/registry/registry.ts'
import { skillTools } from '../../skills/tools/skill-tools.ts'
import { proposalMemory, type ProposalSink } from '../proposals/propose-memory.ts'
import { proposingEditor } from '../proposals/propose-skills.ts'

type Parts = {
  memory: Memory
  library: Library
  editor: SkillEditor
  skills: Store['skills']
  /** The author of changes saved without asking. */
  by: Pick<SkillBy, 'sessionId' | 'reviewId'>
  /** Where the notes of the reviewed chat are, if not with its folder. */
  notesOf?(folder: string): string | MemoryProject
  /** Id of the message from which a text was learned. */
  sourceOf(text: string): number | null
  /** The tool calls of the conversation, for the metadata of new skills. */
  work: readonly { name: string; ok: boolean }[]
  now(): number
}

type NotebookParts = Pick<Parts, 'memory' | 'by' | 'sourceOf'>

/**
 * The tools of one review: memory and skills only, with changes going to the sink. Reading a skill in a
 * review does not count as use, and a skill must be read before it is changed.
 */
export function reviewTools(parts: Parts, kinds: Review['kinds'], sink: ProposalSink): Registry {
  const { library, skills, now, notesOf = (folder: string) => folder } = parts
  const editor = byReview(parts)
  const forMemory = [memoryTool(reviewNotebook(parts, sink), { notesOf: (_, folder) => notesOf(folder) })]
  const forSkills = skillTools({
    library,
    editor: proposingEditor({ editor, library, skills }, sink),
    store: { ...skills, use: () => {} },
    uses: () => true,
    learns: () => true,
    mustRead: true,
    workOf: () => parts.work,
    now,
  })
  return createRegistry([
    ...(kinds.includes('memory') ? forMemory : []),
    ...(kinds.includes('skills') ? forSkills : []),
  ])
}

/** The notebook of one review. The review is the author of its changes, which go to the sink. */
export const reviewNotebook = (parts: NotebookParts, sink: ProposalSink): Memory =>
  proposalMemory(asReview(parts), sink)

/**
 * The memory tool acts for a chat's agent. In a review the author is the review, and the messages of its
 * hidden turn have no ids.
 */
function asReview({ memory, by, sourceOf }: NotebookParts): Memory {
  const own = { ...by, actor: 'review' as const }
  return {
    ...memory,
    check: steps => memory.check(steps, { ...own, messageId: null }),
    change(steps) {
      const texts = steps.map(step => ('text' in step ? step.text : ''))
      return memory.change(steps, { ...own, messageId: sourceOf(texts.join('\n')) })
    },
  }
}

function byReview({ editor, by, sourceOf }: Parts): SkillEditor {
  const own = (note: string, text: string): SkillBy => ({
    ...by,
    actor: 'review',
    note,
    messageId: sourceOf(text),
  })
  return {
    ...editor,
    create: (skill, { note }, options) => editor.create(skill, own(note, skill.text), options),
    save: (change, { note }, options) => editor.save(change, own(note, change.text), options),
    removeFile: (change, { note }) => editor.removeFile(change, own(note, change.path)),
    remove: (ids, { note }) => editor.remove(ids, own(note, '')),
  }
}
