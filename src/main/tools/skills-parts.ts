import type { Library, Workshop } from '../skills/types.ts'
import type { Store } from '../store/types.ts'

/** What the tools for skills work with. */
export type SkillToolParts = {
  library: Library
  workshop: Pick<Workshop, 'create' | 'save' | 'removeFile' | 'remove'>
  store: Pick<Store['skills'], 'use'>
  /** Whether chats know the skills, and whether the agent may write some. */
  uses(): boolean
  learns(): boolean
  now(): number
  /** Refuse to change a skill that was not viewed in the session since it last changed; for reviews. */
  mustRead?: boolean
}
