import type { Review } from '../../shared/contract/learning.ts'
import type { Memory } from '../memory/memory.ts'
import type { Library, SkillBy, Workshop } from '../skills/types.ts'
import type { Store } from '../store/types.ts'
import { memoryTool } from '../tools/memory.ts'
import { createRegistry, type Registry } from '../tools/registry.ts'
import { skillTools } from '../tools/skills.ts'
import { proposingMemory, type Desk } from './proposing-memory.ts'
import { proposingWorkshop } from './proposing-workshop.ts'

type Parts = {
  memory: Memory
  library: Library
  workshop: Workshop
  skills: Store['skills']
  /** Who changes what is saved at once. */
  by: Pick<SkillBy, 'sessionId' | 'reviewId'>
  /** The message from which a text was learned. */
  sourceOf(text: string): number | null
  now(): number
}

/**
 * The tools of one review: only those for memory and skills, whose changes pass the desk. Looking at a skill in a review is
 * no use of it, and what was not looked at is not changed.
 */
export function reviewTools(parts: Parts, kinds: Review['kinds'], desk: Desk): Registry {
  const { library, skills, now } = parts
  const memory = asReview(parts)
  const workshop = byReview(parts)
  const forMemory = [memoryTool(proposingMemory(memory, desk))]
  const forSkills = skillTools({
    library,
    workshop: proposingWorkshop({ workshop, library, skills }, desk),
    store: { ...skills, use: () => {} },
    uses: () => true,
    learns: () => true,
    mustRead: true,
    now,
  })
  return createRegistry([
    ...(kinds.includes('memory') ? forMemory : []),
    ...(kinds.includes('skills') ? forSkills : []),
  ])
}

/** The tool speaks for the agent of a chat; here it is a review, and the messages of its own turn are nobody's. */
function asReview({ memory, by, sourceOf }: Parts): Memory {
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

function byReview({ workshop, by, sourceOf }: Parts): Workshop {
  const own = (note: string, text: string): SkillBy => ({
    ...by,
    actor: 'review',
    note,
    messageId: sourceOf(text),
  })
  return {
    ...workshop,
    create: (skill, { note }, options) => workshop.create(skill, own(note, skill.text), options),
    save: (change, { note }, options) => workshop.save(change, own(note, change.text), options),
    removeFile: (change, { note }) => workshop.removeFile(change, own(note, change.path)),
    remove: (ids, { note }) => workshop.remove(ids, own(note, '')),
  }
}
