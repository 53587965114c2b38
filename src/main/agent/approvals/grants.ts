import { dirname } from 'node:path'
import type { AccessChoice } from '../../../shared/contract/runs/run.ts'
import type { CommandRights, MayWriteObeyed } from '../../confinement/profile.ts'
import { tellObeyedFile } from '../../../shared/words/obeyed-words.ts'
import type { Intent } from '../../tools/registry/tool.ts'

/**
 * The grant that “allow in this chat” stores, readable by the user. It covers the exact command in its
 * folder, changes to one file, reading in one folder and below, or asking the models of one mixture.
 */
export function grantFor(
  tool: string,
  intent: Intent,
  choice: AccessChoice = 'confined',
  obeyed: MayWriteObeyed = 'nothing',
): string | undefined {
  // JSON quotes keep the folder apart from the command, even if its name contains a colon.
  if (intent.command !== undefined)
    return `${tool}${intent.background ? ' in the background' : ''}${HOW[choice]}${CHANGES[obeyed]} in ${JSON.stringify(intent.folder)}: ${intent.command}`
  if (intent.mcp) return `use ${intent.mcp.pin}`
  if (intent.models) return `ask the models ${intent.models.pin}`
  if (intent.path === undefined) return undefined
  if (intent.risk === 'write') {
    const change = `change ${JSON.stringify(intent.path)}`
    return intent.obeyed?.tier === 1 ? tellObeyedFile(change, intent.obeyed.by) : change
  }
  return `read in ${JSON.stringify(intent.folder)}`
}

const HOW: Record<AccessChoice, string> = {
  confined: '',
  network: ' with network',
  unconfined: ' without confinement',
}

/** Which obeyed files a command may change is part of its grant: a grant for less does not cover more. */
const CHANGES: Record<MayWriteObeyed, string> = {
  nothing: '',
  git: ' with what git obeys',
  all: ' with what programs obey',
}

const LEVELS: readonly MayWriteObeyed[] = ['nothing', 'git', 'all']

/**
 * The access that the chat's grants give this call; the widest, if there are several. `least`: the obeyed
 * files that the grant must include.
 */
export function findGrant(
  tool: string,
  intent: Intent,
  grants: Iterable<string>,
  { confined }: CommandRights,
  least: MayWriteObeyed,
): AccessChoice | undefined {
  const granted = new Set(grants)
  if (intent.command !== undefined) {
    const choices: AccessChoice[] = confined ? ['unconfined', 'network', 'confined'] : ['unconfined']
    const enough = LEVELS.slice(LEVELS.indexOf(least))
    return choices.find(choice =>
      enough.some(obeyed => granted.has(grantFor(tool, intent, choice, obeyed) ?? '')),
    )
  }
  const wanted = grantFor(tool, intent)
  if (wanted === undefined) return undefined
  if (granted.has(wanted)) return 'unconfined'
  if (intent.risk !== 'read') return undefined
  for (let folder = intent.folder; folder !== dirname(folder); folder = dirname(folder)) {
    if (granted.has(`read in ${JSON.stringify(folder)}`)) return 'unconfined'
  }
  return undefined
}
