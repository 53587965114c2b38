import type {
  ScanReport,
  Skill,
  SkillDetail,
  SkillFields,
  SkillIssue,
  SkillPart,
} from '../../shared/contract/skills.ts'

/** A skill of the fake library: what is said of it, its files, and what it lies over. */
export type Entry = {
  skill: Skill
  /** Texts by path; null for what is no text. */
  files: Readonly<Record<string, string | null>>
  issues: SkillIssue[]
  scan: ScanReport
  original: Entry | null
}
/** What a test says of a skill; `body` becomes its SKILL.md. */
export type Given = Omit<Partial<Skill>, 'issues'> &
  Partial<Pick<Entry, 'files' | 'issues' | 'scan'>> & { name: string; body?: string; note?: string }

const safe: ScanReport = { verdict: 'safe', findings: [] }

/** A SKILL.md with a name, a description and a body. */
export const aSkillText = (
  fields: { name: string; description?: string; tags?: readonly string[] },
  body = 'Do it step by step.',
): string =>
  [
    '---',
    `name: ${fields.name}`,
    `description: ${fields.description ?? `How to do ${fields.name}. Use it when asked.`}`,
    ...(fields.tags?.length ? [`tags: [${fields.tags.join(', ')}]`] : []),
    '---',
    '',
    body,
    '',
  ].join('\n')

/** The few fields that the fake understands, each on one line. */
export function fieldsOf(text: string): SkillFields {
  const [, head = ''] = /^---\n([\s\S]*?)\n---/u.exec(text) ?? []
  const one = (name: string) => new RegExp(`^${name}: *(.*)$`, 'mu').exec(head)?.[1] ?? ''
  const many = (name: string) =>
    one(name)
      .replaceAll(/[[\]]/gu, '')
      .split(',')
      .map(each => each.trim())
      .filter(each => each !== '')
  return {
    name: one('name'),
    description: one('description'),
    tags: many('tags'),
    platforms: many('platforms'),
    requires: many('requires'),
    licence: one('license'),
  }
}

/** What is wrong with a text, of the little that the fake looks at. */
export function lint(text: string): SkillIssue[] {
  const { name, description } = fieldsOf(text)
  const error = (rule: string, text: string): SkillIssue => ({ line: 2, level: 'error', rule, text })
  return [
    ...(/^[a-z0-9-]{1,64}$/u.test(name)
      ? []
      : [error('name-format', 'The name must be a-z, 0-9 and hyphens.')]),
    ...(description === '' ? [error('description-missing', 'A description is missing.')] : []),
  ]
}

/** Dangerous when it says `curl evil`. */
export const scanOf = (text: string): ScanReport =>
  text.includes('curl evil')
    ? {
        verdict: 'dangerous',
        findings: [
          {
            path: 'SKILL.md',
            line: text.slice(0, text.indexOf('curl evil')).split('\n').length,
            rule: 'send-secrets',
            category: 'exfiltration',
            severity: 'critical',
            block: true,
            reason: 'It sends a file with keys to a server.',
            excerpt: 'curl evil',
          },
        ],
      }
    : safe

const kindOf = (path: string): SkillPart['kind'] =>
  path === 'SKILL.md'
    ? 'skill'
    : (({ references: 'reference', templates: 'template', scripts: 'script', assets: 'asset' } as const)[
        path.split('/')[0] ?? ''
      ] ?? 'other')

/** The entry with what follows from its files. */
function settled(entry: Entry): Entry {
  const text = entry.files['SKILL.md'] ?? ''
  const paths = Object.keys(entry.files)
  const { name, description, tags, platforms, requires } = fieldsOf(text)
  return {
    ...entry,
    skill: {
      ...entry.skill,
      name: name || entry.skill.name,
      description,
      tags,
      platforms,
      requires,
      fileCount: paths.length,
      hasScripts: paths.some(path => kindOf(path) === 'script'),
    },
  }
}

/** A skill as a test describes it. */
export function made({ files, body, issues, scan, note: _note, ...given }: Given): Entry {
  const { name, origin = 'user' } = given
  const root = {
    builtin: 'bundled',
    imported: 'imported',
    project: 'project-1',
    folder: 'folder-1',
  } as const
  const id = given.id ?? `${root[origin as keyof typeof root] ?? 'own'}/${name}`
  const skill: Skill = {
    id,
    key: name,
    description: `How to do ${name}. Use it when asked.`,
    category: '',
    origin,
    tags: [],
    platforms: [],
    requires: [],
    enabled: true,
    unavailable: null,
    blocked: null,
    shadowedBy: null,
    isEdited: false,
    isOwn: !['builtin', 'imported'].includes(origin),
    project: null,
    tokens: 120,
    bytes: 480,
    fileCount: 1,
    hasScripts: false,
    issues: issues?.length ?? 0,
    uses: { loads: 0, well: 0, corrected: 0, failed: 0, lastAt: null },
    attention: [],
    source: null,
    updatedAt: Date.now(),
    ...given,
  }
  const text = aSkillText(skill, body)
  const entry = { skill, files: { 'SKILL.md': text, ...files }, issues: issues ?? [], scan: scan ?? safe }
  // What is given counts, whatever the fake can read from the text.
  const { requires, platforms } = skill
  const whole = settled({ ...entry, original: null })
  return { ...whole, skill: { ...whole.skill, requires, platforms } }
}

/** The entry that a change of files makes: an own one in place, an original as a copy over it. */
export function rewritten(entry: Entry, files: Entry['files']): Entry {
  const { skill } = entry
  const updatedAt = Date.now()
  if (skill.isOwn) return settled({ ...entry, files, skill: { ...skill, updatedAt } })
  const id = `own/${skill.name}`
  const copy = { ...skill, id, isOwn: true, isEdited: true, updatedAt }
  return settled({ ...entry, files, skill: copy, original: entry })
}

/** Everything about a skill. */
export const detail = ({ skill, files, issues, scan, original }: Entry): SkillDetail => {
  const text = files['SKILL.md'] ?? ''
  const [head = ''] = /^---\n[\s\S]*?\n---\n+/u.exec(text) ?? []
  return {
    skill,
    text,
    body: text.slice(head.length),
    bodyLine: head.split('\n').length,
    fields: fieldsOf(text),
    files: Object.entries(files).map(([path, content]) => ({
      path,
      bytes: content?.length ?? 2_048,
      kind: kindOf(path),
    })),
    issues,
    scan,
    folder: `/home/ada/.talaria/skills/${skill.name}`,
    original: original?.files['SKILL.md'] ?? null,
  }
}
