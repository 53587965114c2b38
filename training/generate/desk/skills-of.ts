import type { Skill, SkillRevision } from '../../../src/shared/contract/learned/skills.ts'
import { refuseMain } from '../../../src/main/skills/edits/refuse-edit.ts'
import { looseName, nearNames } from '../../../src/main/lib/words/similarity.ts'
import { scanSkill } from '../../../src/main/skills/check/scan-skill.ts'
import { readSkillText } from '../../../src/main/skills/files/read-skill.ts'
import type { FoundSkill, Library, LibrarySkill } from '../../../src/main/skills/skill-types.ts'
import type { SkillToolParts } from '../../../src/main/skills/tools/skill-tool-parts.ts'
import type { Desk, DeskSkill } from './desk.ts'

/** As many as the library of the product names. */
const MOST_NEAR = 5

/** The skills of a desk, as far as the tools for them ask. What is written passes the product’s own check of its form. */
export function skillsOf(desk: () => Desk): SkillToolParts {
  const ofId = (id: string) => desk().skills.find(skill => idOf(skill) === id)
  const library: Pick<
    Library,
    'forChat' | 'named' | 'namesakes' | 'list' | 'get' | 'read' | 'file' | 'scanFirst' | 'scanTexts'
  > = {
    list: () => desk().skills.map(librarySkill),
    forChat: () => desk().skills.map(librarySkill),
    get(id) {
      const skill = ofId(id)
      return skill && librarySkill(skill)
    },
    named(name) {
      const wanted = name.trim()
      const loose = looseName(wanted.slice(wanted.lastIndexOf('/') + 1))
      const { skills } = desk()
      const meant =
        skills.find(each => each.name === wanted) ?? skills.find(each => looseName(each.name) === loose)
      if (meant) return { found: librarySkill(meant) }
      const names = skills.map(each => each.name)
      return { refused: `There is no skill “${wanted}”.`, near: nearNames(wanted, names, MOST_NEAR) }
    },
    namesakes: () => [],
    scanFirst: async () => {},
    scanTexts: async texts => scanSkill(texts),
    read: id => ofId(id)?.text,
    file: () => ({ refused: 'This file is not among the files of the skill that were looked through.' }),
  }
  const editor: SkillToolParts['editor'] = {
    create({ name, text }) {
      const refused = refuseMain(text, name)
      if (refused) return refused
      desk().skills.push(deskSkill(name, text))
      return { revisions: [revision], id: `own/${name}` }
    },
    save({ id, text }) {
      const skill = ofId(id)
      const refused = refuseMain(text, skill?.name)
      if (!skill || refused) return refused ?? { refused: 'The skill does not exist any more.' }
      Object.assign(skill, deskSkill(skill.name, text))
      return { revisions: [revision], id: idOf(skill) }
    },
    removeFile: () => ({ revisions: [revision], id: '' }),
    remove(ids) {
      desk().skills = desk().skills.filter(skill => !ids.includes(idOf(skill)))
      return { revisions: [revision] }
    },
  }
  return {
    // The tools ask for nothing else.
    library: library as Library,
    editor,
    store: { use: () => {} },
    uses: () => true,
    learns: () => true,
    now: () => 0,
  }
}

/** Nobody reads what a change of a desk says of itself, but the tools check its form. */
const revision: SkillRevision = {
  id: 0,
  key: '',
  name: '',
  op: 'edit',
  actor: 'agent',
  note: '',
  sessionId: null,
  messageId: null,
  reviewId: null,
  at: 0,
  files: [],
  undoes: null,
  undoneBy: null,
}

/** A skill of somebody’s own, read from its SKILL.md. */
export const deskSkill = (name: string, text: string): DeskSkill => ({
  name,
  description: readSkillText(text, name).fields.description,
  text,
  isBundled: false,
})

const idOf = ({ name, isBundled }: DeskSkill): string => `${isBundled ? 'bundled' : 'own'}/${name}`

/** A skill as the library tells of it: nothing is wrong with it, and it has no other files. */
export function librarySkill(skill: DeskSkill): LibrarySkill {
  const { name, description, text } = skill
  const id = idOf(skill)
  const about: Partial<Skill> = {
    id,
    key: name,
    name,
    description,
    category: '',
    tags: [],
    prerequisites: [],
    enabled: true,
    unavailable: null,
    blocked: null,
    shadowedBy: null,
  }
  const found: Partial<FoundSkill> = {
    id,
    key: name,
    name,
    folder: `/skills/${name}`,
    category: '',
    parts: [{ path: 'SKILL.md', bytes: text.length, kind: 'skill' }],
    bytes: text.length,
    hasScripts: false,
    text: readSkillText(text, name),
    updatedAt: 0,
  }
  return { skill: about as Skill, found: found as FoundSkill }
}
