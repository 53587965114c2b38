import { mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rootsOfProject } from '../../src/main/skills/library/index-roots.ts'
import { openLibrary } from '../../src/main/skills/library/open-library.ts'
import { openSkillEditor } from '../../src/main/skills/edits/open-editor.ts'
import type {
  Library,
  SkillBy,
  SkillRefusal,
  SkillRoot,
  SkillEditor,
} from '../../src/main/skills/skill-types.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { read, write, type Place } from './place.ts'
import type { SeededSkillProject, SeededSkill, SeededSkillChange } from './protocol.ts'
import { seedChat } from './seed-chats.ts'

type Skills = { library: Library; editor: SkillEditor; at: number }

const opened = new WeakMap<Place, Skills>()

/** The product's own library and editor on a home whose host does not run yet; closed with the place. */
function skillsOf(place: Place): Skills {
  const known = opened.get(place)
  if (known) return known
  const { home, bundled } = place
  const roots: SkillRoot[] = [
    { key: 'own', kind: 'own', folder: join(home, 'skills') },
    { key: 'imported', kind: 'imported', folder: join(home, 'imported-skills') },
    { key: 'bundled', kind: 'bundled', folder: bundled },
  ]
  const store = place.store.skills
  const now = () => skills.at
  const onChange = () => {}
  const report = (error: unknown) => {
    throw error
  }
  const library = openLibrary({
    roots: () => roots,
    projects: () => [],
    trusted: () => [],
    store,
    cacheFile: join(home, 'cache', 'skills.json'),
    count: text => text.length,
    toolsets: () => [],
    now,
    onChange,
    report,
  })
  place.onClose(() => library.close())
  const editor = openSkillEditor({ home, library, store, now, onChange, report })
  const skills: Skills = { library, editor, at: Date.now() }
  opened.set(place, skills)
  return skills
}

/** Create a skill the way its origin would, with its first revision. */
export function seedSkill(place: Place, skill: SeededSkill): void {
  const skills = skillsOf(place)
  const { name, from = 'you', at = Date.now(), enabled } = skill
  skills.at = at
  const id = { you: made, agent: made, import: imported, bundled: shipped }[from](place, skill)
  skills.library.changed()
  const folder = skills.library.get(id)!.found.folder
  for (const path of ['SKILL.md', ...Object.keys(skill.files ?? {})])
    utimesSync(join(folder, path), at / 1_000, at / 1_000)
  // An import decides itself whether the skill is on.
  if (from !== 'import' && enabled === false) done(skills.editor.setEnabled([id], false, by('you')))
  for (const [index, use] of (skill.uses ?? []).entries()) {
    const { sessionId = 'c1', messageId = index + 1, outcome = 'well' } = use
    place.store.skills.use({ key: name, sessionId, messageId, by: use.by ?? 'agent', at: use.at ?? at })
    if (outcome !== null) place.store.skills.settle({ sessionId, messageId }, outcome, 'any')
  }
}

/** Change a skill as the given actor, by default the agent. */
export function seedSkillChange(place: Place, change: SeededSkillChange): void {
  const skills = skillsOf(place)
  const { id, path = 'SKILL.md', text, actor = 'agent', at = Date.now() } = change
  skills.at = at
  done(skills.editor.save({ id, path, text }, by(actor, change), { despite: true }))
}

/** Create a folder with skills next to the working folder, and a chat in it. */
export function seedSkillProject(place: Place, { name, skills, trusted = false }: SeededSkillProject): void {
  const folder = join(dirname(place.home), name)
  const [root] = rootsOfProject(folder)
  for (const [skill, text] of Object.entries(skills)) write(root!.folder, { [`${skill}/SKILL.md`]: text })
  seedChat(place, { id: `chat-in-${name}`, workspace: folder })
  if (!trusted) return
  const config = JSON.parse(read(place.home, 'config.yaml')!) as { skills?: Record<string, unknown> }
  const { trusted_projects: others = [] } = (config.skills ?? {}) as { trusted_projects?: string[] }
  config.skills = { ...config.skills, trusted_projects: [...others, folder] }
  write(place.home, { 'config.yaml': JSON.stringify(config) })
}

/** Create a link in the user's own skills folder to a folder with this skill next to the home folder. */
export function seedSkillLink({ home }: Place, { name, text }: { name: string; text: string }): void {
  const folder = join(dirname(home), 'dotfiles', name)
  write(folder, { 'SKILL.md': text })
  mkdirSync(join(home, 'skills'), { recursive: true })
  symlinkSync(folder, join(home, 'skills', name))
}

function made(place: Place, { name, text, files = {}, category = '', ...given }: SeededSkill): string {
  const actor = given.from === 'agent' ? 'agent' : 'you'
  const { editor } = skillsOf(place)
  const { id } = done(editor.create({ name, category, text }, by(actor, given), { despite: true }))
  // Files that are not text, or that a user adds by hand, do not go through the editor's checks.
  write(skillsOf(place).library.get(id)!.found.folder, files)
  return id
}

function imported(place: Place, { name, text, files = {}, enabled = true, ...given }: SeededSkill): string {
  const folder = join(place.workspace, 'shared', name)
  write(folder, { 'SKILL.md': text, ...files })
  const source = { kind: 'folder', address: folder, within: '', commit: null, licence: null } as const
  const importedAt = given.at ?? Date.now()
  const fetched = { folder, name, source: { ...source, importedAt }, on: enabled, accept: false }
  return done(skillsOf(place).editor.install(fetched, by('import', { ...given, note: `from ${folder}` }))).id
}

function shipped({ bundled }: Place, { name, text, files = {} }: SeededSkill): string {
  write(join(bundled, name), { 'SKILL.md': text, ...files })
  return `bundled/${name}`
}

const by = (actor: SkillBy['actor'], given: Partial<SkillBy> = {}): SkillBy => ({
  actor,
  note: given.note ?? '',
  sessionId: actor === 'agent' ? (given.sessionId ?? 'c1') : null,
  messageId: actor === 'agent' ? (given.messageId ?? 1) : null,
  reviewId: null,
})

function done<T extends object>(outcome: T | SkillRefusal): T {
  if (isRefusal(outcome)) throw new Error(outcome.refused)
  return outcome
}
