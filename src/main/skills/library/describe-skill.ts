import type { Skill, SkillOrigin, SkillPrerequisite } from '../../../shared/contract/learned/skills.ts'
import type { SkillState } from '../../db/learning/skill-tables.ts'
import type { Store } from '../../db/store.ts'
import { prerequisitesOf, type Prerequisite } from '../files/prerequisites.ts'
import type { FoundSkill } from '../skill-types.ts'
import type { CheckResult } from './cached-skill.ts'
import type { SkillChecks } from './skill-checker.ts'
import type { Listed } from './index-roots.ts'
import { byCount } from '../../../shared/text/amounts.ts'

/** Facts outside the skill folders that a list of skills depends on. */
export type Surroundings = {
  states: ReadonlyMap<string, SkillState>
  tallies: ReturnType<Store['skills']['tallies']>
  shadows: ReadonlyMap<string, string>
  /** Names of bundled and imported skills. */
  originals: ReadonlySet<string>
  platform: NodeJS.Platform
  toolsets: ReadonlySet<string>
  policy: SkillChecks['policy']
  /** Whether a prerequisite of the skill with this key is present. */
  isMet(key: string, needed: Prerequisite): boolean
}

const NO_USES = { loads: 0, well: 0, corrected: 0, failed: 0, lastAt: null }
const SYSTEMS: Record<string, NodeJS.Platform | 'any'> = {
  mac: 'darwin',
  macos: 'darwin',
  osx: 'darwin',
  darwin: 'darwin',
  linux: 'linux',
  windows: 'win32',
  win: 'win32',
  win32: 'win32',
  all: 'any',
  any: 'any',
  '*': 'any',
}
const SYSTEM_NAMES: Partial<Record<string, string>> = { darwin: 'macOS', linux: 'Linux', win32: 'Windows' }

/** The public form of a skill, without `attention`, which depends on all skills. */
export function describeSkill({ found, entry }: Listed, around: Surroundings): Omit<Skill, 'attention'> {
  const { root, key, name, text } = found
  const state = around.states.get(key)
  const tally = around.tallies.get(key)
  const isEdited = root.kind === 'own' && around.originals.has(name)
  const issues = entry.looked?.issues ?? text.issues
  const { loads, well, corrected, failed, lastAt } = tally ?? NO_USES
  const { description, tags, platforms, requires } = text.fields
  const prerequisites = prerequisitesOf(text.more).map(each => ({ ...each, isMet: around.isMet(key, each) }))
  return {
    id: found.id,
    key,
    name,
    description,
    category: found.category,
    origin: originOf(found, state),
    tags,
    platforms,
    requires,
    pinned: state?.pinned ?? false,
    enabled: state?.enabled ?? isOnByDefault(found, entry.looked),
    prerequisites,
    unavailable: unavailability(platforms, requires, around) ?? unmet(prerequisites),
    blocked: blockage(found, entry.looked, state, around.policy),
    shadowedBy: around.shadows.get(found.id) ?? null,
    isEdited,
    isOwn: root.kind !== 'bundled' && root.kind !== 'imported',
    project: root.project ?? null,
    tokens: found.tokens,
    bytes: found.bytes,
    fileCount: found.parts.length,
    hasScripts: found.hasScripts,
    issues: issues.filter(issue => issue.level !== 'info').length,
    uses: { loads, well, corrected, failed, lastAt },
    source: root.kind === 'imported' || isEdited ? (state?.source ?? null) : null,
    updatedAt: found.updatedAt,
  }
}

export function originOf({ root }: FoundSkill, state: SkillState | undefined): SkillOrigin {
  if (root.kind === 'own') return state?.author === 'agent' ? 'agent' : 'user'
  return root.kind === 'bundled' ? 'builtin' : root.kind
}

/** A skill that the user put among the imported ones is off if it has programs, or until its scan is safe. */
const isOnByDefault = ({ root, hasScripts }: FoundSkill, looked: CheckResult | undefined) =>
  root.kind !== 'imported' || (!hasScripts && looked?.report.verdict === 'safe')

/** The reason why a skill is blocked until the user accepts its content, based on the scan so far. */
function blockage(
  found: FoundSkill,
  looked: CheckResult | undefined,
  state: SkillState | undefined,
  policy: SkillChecks['policy'],
): string | null {
  if (!looked || policy(looked.report, originOf(found, state)) !== 'block') return null
  if (looked.digest !== '' && state?.accepted === looked.digest) return null
  const reasons = new Set(looked.report.findings.filter(each => each.block).map(each => each.reason))
  const [first = 'The security scan found something dangerous in it.', ...others] = reasons
  return others.length === 0 ? first : `${first} ${others.length} more reasons like this were found.`
}

/** Whether the scan warns of a skill, whoever wrote it, and the user has not accepted its content. */
export function isDangerous({ found, entry: { looked } }: Listed, { states }: Surroundings): boolean {
  return (
    looked?.report.verdict === 'dangerous' &&
    (looked.digest === '' || states.get(found.key)?.accepted !== looked.digest)
  )
}

/** Missing prerequisites as text, such as `It needs the key TENOR_API_KEY.`; null if nothing is missing. */
function unmet(prerequisites: readonly SkillPrerequisite[]): string | null {
  const missing = (kind: Prerequisite['kind']) =>
    prerequisites.filter(each => each.kind === kind && !each.isMet).map(({ name }) => name)
  const [keys, programs] = [missing('key'), missing('program')]
  if (keys.length > 0) return `It needs the ${byCount(keys.length, 'key', 'keys')} ${keys.join(', ')}.`
  return programs.length === 0 ? null : `It needs programs that are not here: ${programs.join(', ')}.`
}

function unavailability(
  platforms: readonly string[],
  requires: readonly string[],
  { platform, toolsets }: Surroundings,
): string | null {
  const systems = platforms.map(each => SYSTEMS[each.trim().toLowerCase()] ?? each)
  if (systems.length > 0 && !systems.includes(platform) && !systems.includes('any')) {
    return `It is for ${systems.map(each => SYSTEM_NAMES[each] ?? each).join(', ')} only.`
  }
  const missing = missingTools(requires, toolsets)
  return missing.length === 0 ? null : `It needs tools that are not here: ${missing.join(', ')}.`
}

/** The tools and toolsets that a skill requires and `toolsets` lacks. Names in `toolsets` are lower case. */
export const missingTools = (requires: readonly string[], toolsets: ReadonlySet<string>): string[] =>
  requires.filter(each => !toolsets.has(each.trim().toLowerCase()))
