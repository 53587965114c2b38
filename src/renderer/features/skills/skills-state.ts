import type {
  Skill,
  SkillFolder,
  SkillLibrary,
  SkillLink,
  SkillRevision,
} from '../../../shared/contract/learned/skills.ts'

export type Show = 'all' | 'on' | 'agent' | 'builtin' | 'imported' | 'attention' | 'deleted'
export type Sort = 'name' | 'used' | 'updated' | 'size'

/** Which skills are listed, and in what order. */
export type Filters = { query: string; show: Show; sort: Sort }

/** A line of a skill file to scroll to. */
export type Spot = { id: string; path: string; line: number | null }

export type SkillsState = {
  filters: Filters
  selected: ReadonlySet<string>
  /** The stable key of every id ever listed, which finds a skill after its id changes. */
  keys: ReadonlyMap<string, string>
  /** The line the Files tab shows next. */
  spot: Spot | null
}

export const noFilters: Filters = { query: '', show: 'all', sort: 'name' }

export const initialSkills: SkillsState = {
  filters: noFilters,
  selected: new Set(),
  keys: new Map(),
  spot: null,
}

/** Remember the keys of the host's library, and deselect skills that are gone. */
export function withLibrary(state: SkillsState, library: SkillLibrary): SkillsState {
  const ids = new Set(library.skills.map(skill => skill.id))
  const selected = new Set([...state.selected].filter(id => ids.has(id)))
  const keys = new Map([...state.keys, ...library.skills.map(({ id, key }) => [id, key] as const)])
  return { ...state, selected, keys }
}

/** Whether the user allows models to use the skill. */
export const isOn = (skill: Skill): boolean => skill.enabled && skill.blocked === null

/** Such as `Needs TENOR_API_KEY`; undefined if no key is missing. */
export function needsKey({ prerequisites }: Skill): string | undefined {
  const missing = prerequisites.filter(({ kind, isMet }) => kind === 'key' && !isMet)
  return missing.length === 0 ? undefined : `Needs ${missing.map(({ name }) => name).join(', ')}`
}

/** Whether the skill needs attention. */
const needsLook = (skill: Skill): boolean => skill.attention.length > 0 || skill.blocked !== null

const fits: Record<Exclude<Show, 'deleted'>, (skill: Skill) => boolean> = {
  all: () => true,
  on: isOn,
  agent: skill => skill.origin === 'agent',
  builtin: skill => skill.origin === 'builtin',
  imported: skill => skill.origin === 'imported',
  attention: needsLook,
}

/** All skills except originals that have an edited copy. */
export function listedOf(library: SkillLibrary | null): readonly Skill[] {
  const skills = library?.skills ?? []
  const copies = new Set(skills.filter(skill => skill.isEdited).map(skill => skill.id))
  return copies.size === 0
    ? skills
    : skills.filter(({ shadowedBy }) => shadowedBy === null || !copies.has(shadowedBy))
}

/** Number of skills for each filter. */
export function countsOf(skills: readonly Skill[], deleted: number): Record<Show, number> {
  const count = (show: keyof typeof fits) => skills.reduce((sum, skill) => sum + Number(fits[show](skill)), 0)
  return {
    all: skills.length,
    on: count('on'),
    agent: count('agent'),
    builtin: count('builtin'),
    imported: count('imported'),
    attention: count('attention'),
    deleted,
  }
}

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const byName = (a: Skill, b: Skill) => names.compare(a.name, b.name) || names.compare(a.id, b.id)
const orders: Record<Sort, (a: Skill, b: Skill) => number> = {
  name: byName,
  used: (a, b) => b.uses.loads - a.uses.loads || byName(a, b),
  updated: (a, b) => b.updatedAt - a.updatedAt || byName(a, b),
  size: (a, b) => b.tokens - a.tokens || byName(a, b),
}

const haystacks = new WeakMap<Skill, string>()
function haystackOf(skill: Skill): string {
  const known = haystacks.get(skill)
  if (known !== undefined) return known
  const text = [skill.name, skill.description, skill.category, ...skill.tags].join('\n').toLowerCase()
  haystacks.set(skill, text)
  return text
}

const wordsOf = (query: string) => query.toLowerCase().split(/\s+/u)

/** The skills that match the filters, sorted. */
function filterSkills(skills: readonly Skill[], { query, show, sort }: Filters): Skill[] {
  if (show === 'deleted') return []
  const words = wordsOf(query)
  return skills
    .filter(skill => fits[show](skill) && words.every(word => haystackOf(skill).includes(word)))
    .toSorted(orders[sort])
}

/** The deleted skills that match the query, newest first. */
function filterDeleted(deleted: readonly SkillRevision[], query: string): SkillRevision[] {
  const words = wordsOf(query)
  return deleted
    .filter(({ name, note }) => words.every(word => `${name}\n${note}`.toLowerCase().includes(word)))
    .toSorted((a, b) => b.at - a.at)
}

/** One row of the list. */
export type Row =
  | { kind: 'skill'; key: string; skill: Skill }
  | { kind: 'folder'; key: string; folder: SkillFolder }
  | { kind: 'deleted'; key: string; revision: SkillRevision }
  | { kind: 'link'; key: string; link: SkillLink }
  | { kind: 'unreadable'; key: string; path: string; reason: string; target: string | undefined }

/** The rows of the list: skills, then each project folder with its skills, then links and unreadable files. */
export function rowsOf(library: SkillLibrary, filters: Filters): Row[] {
  if (filters.show === 'deleted')
    return filterDeleted(library.deleted, filters.query).map(revision => ({
      kind: 'deleted',
      key: `deleted ${revision.id}`,
      revision,
    }))
  const found = filterSkills(listedOf(library), filters)
  const asRow = (skill: Skill): Row => ({ kind: 'skill', key: skill.id, skill })
  const isWhole = filters.query.trim() === '' && filters.show === 'all'
  const own = Object.groupBy(found, skill => skill.project ?? '')
  const folders = [...library.projects, ...unknownFolders(found, library.projects)]
  return [
    ...(own[''] ?? []).map(asRow),
    ...folders.flatMap((folder): Row[] => {
      const skills = own[folder.folder] ?? []
      if (skills.length === 0 && !isWhole) return []
      return [{ kind: 'folder', key: `folder ${folder.folder}`, folder }, ...skills.map(asRow)]
    }),
    ...(isWhole ? library.links : []).map((link): Row => ({
      kind: 'link',
      key: `link ${link.target}`,
      link,
    })),
    ...(isWhole ? library.unreadable : []).map(({ path, reason, target }): Row => ({
      kind: 'unreadable',
      key: `unreadable ${path}`,
      path,
      reason,
      target,
    })),
  ]
}

/** Folders of listed skills that are missing from the host's folder list. */
function unknownFolders(skills: readonly Skill[], known: readonly SkillFolder[]): SkillFolder[] {
  const counts = new Map<string, number>()
  for (const { project } of skills)
    if (project !== null && known.every(each => each.folder !== project))
      counts.set(project, (counts.get(project) ?? 0) + 1)
  return [...counts].map(([folder, count]) => ({ folder, trusted: true, skills: count }))
}

/** The edited copy that overrides an original. */
export function copyOver(library: SkillLibrary | null, id: string): string | undefined {
  const skills = library?.skills ?? []
  const by = skills.find(skill => skill.id === id)?.shadowedBy
  return skills.find(skill => skill.id === by && skill.isEdited)?.id
}

/** The current id of a skill, from any earlier id; undefined if it is deleted or unknown. */
export function presentId(
  library: SkillLibrary | null,
  { keys }: Pick<SkillsState, 'keys'>,
  id: string,
): string | undefined {
  const skills = library?.skills ?? []
  if (skills.some(skill => skill.id === id)) return id
  const key = keys.get(id)
  const same = skills.filter(skill => skill.key === key)
  return (same.find(skill => skill.shadowedBy === null) ?? same[0])?.id
}

/** A free name for a copy: `haiku-copy`, `haiku-copy-2`; the specification allows 64 characters. */
export function nameOfCopy(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const end = count === 1 ? '-copy' : `-copy-${count}`
    const copy = `${name.slice(0, 64 - end.length).replace(/(?<!-)-+$/u, '')}${end}`
    if (!taken.has(copy)) return copy
  }
}
