import type { Skill } from '../../src/shared/contract/learned/skills.ts'

// For tests: a skill without any problem.

export const NOW = Date.UTC(2026, 10, 21)

/** A skill of the user: on, never used, changed ten days ago. */
export const aSkill = (given: Partial<Skill> = {}): Skill => {
  const { name = 'tidy-notes' } = given
  return {
    id: `own/${name}`,
    key: name,
    name,
    description: 'Sorts notes by date. Use when the user wants their notes in order.',
    category: '',
    origin: 'user',
    tags: [],
    platforms: [],
    requires: [],
    pinned: false,
    prerequisites: [],
    enabled: true,
    unavailable: null,
    blocked: null,
    shadowedBy: null,
    isEdited: false,
    isOwn: true,
    project: null,
    tokens: 100,
    bytes: 400,
    fileCount: 1,
    hasScripts: false,
    issues: 0,
    uses: { loads: 0, well: 0, corrected: 0, failed: 0, lastAt: null },
    attention: [],
    source: null,
    updatedAt: NOW - 10 * 86_400_000,
    ...given,
  }
}
