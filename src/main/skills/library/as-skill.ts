import type { Skill, SkillOrigin } from '../../../shared/contract/skills.ts'
import type { SkillState, Store } from '../../store/types.ts'
import type { FoundSkill } from '../types.ts'
import type { Looked } from './entry.ts'
import type { Judges } from './judges.ts'
import type { Listed } from './look-over.ts'

/** What is known beside the folders when a list of skills is made. */
export type Surroundings = {
  states: ReadonlyMap<string, SkillState>
  tallies: ReturnType<Store['skills']['tallies']>
  shadows: ReadonlyMap<string, string>
  /** Names of skills that ship or were imported. */
  originals: ReadonlySet<string>
  platform: NodeJS.Platform
  toolsets: ReadonlySet<string>
  policy: Judges['policy']
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

/** A skill as everybody outside sees it, without what needs attention: for that all of them must be known. */
export function asSkill({ found, entry }: Listed, around: Surroundings): Omit<Skill, 'attention'> {
  const { root, key, name, text } = found
  const state = around.states.get(key)
  const tally = around.tallies.get(key)
  const isEdited = root.kind === 'own' && around.originals.has(name)
  const issues = entry.looked?.issues ?? text.issues
  const { loads, well, corrected, failed, lastAt } = tally ?? NO_USES
  const { description, tags, platforms, requires } = text.fields
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
    enabled: state?.enabled ?? isOnByDefault(found, entry.looked),
    unavailable: unavailability(platforms, requires, around),
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

/** What was put among the imported ones by hand is off when it brings programs, or the scan does not find it safe. */
const isOnByDefault = ({ root, hasScripts }: FoundSkill, looked: Looked | undefined) =>
  root.kind !== 'imported' || (!hasScripts && looked?.report.verdict === 'safe')

/** Why a skill is kept from models until a person accepts it as it is, as far as it was looked through. */
function blockage(
  found: FoundSkill,
  looked: Looked | undefined,
  state: SkillState | undefined,
  policy: Judges['policy'],
): string | null {
  if (!looked || policy(looked.report, originOf(found, state)) !== 'block') return null
  if (looked.digest !== '' && state?.accepted === looked.digest) return null
  const reasons = new Set(looked.report.findings.filter(each => each.block).map(each => each.reason))
  const [first = 'The security scan found something dangerous in it.', ...others] = reasons
  return others.length === 0 ? first : `${first} ${others.length} more reasons like this were found.`
}

/** Whether the scan warns of a skill, whoever made it, and the person has not accepted it as it is. */
export function isDangerous({ found, entry: { looked } }: Listed, { states }: Surroundings): boolean {
  return (
    looked?.report.verdict === 'dangerous' &&
    (looked.digest === '' || states.get(found.key)?.accepted !== looked.digest)
  )
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
  const missing = requires.filter(each => !toolsets.has(each.trim().toLowerCase()))
  return missing.length === 0 ? null : `It needs tools that are not here: ${missing.join(', ')}.`
}
