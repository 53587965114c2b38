import { dirname } from 'node:path'
import type { Intent } from '../../tools/tool.ts'

/**
 * What “allow in this chat” remembers, as a line that a person can read: the exact command in its folder, changes to
 * one file, or reading in one folder and below.
 */
export function grantFor(tool: string, intent: Intent): string | undefined {
  // Quotes keep the two parts apart, whatever the name of the folder.
  if (intent.command !== undefined) return `${tool} in ${JSON.stringify(intent.folder)}: ${intent.command}`
  if (intent.path === undefined) return undefined
  if (intent.risk === 'write') return `change ${JSON.stringify(intent.path)}`
  return `read in ${JSON.stringify(intent.folder)}`
}

/** Whether one of the grants of a chat covers a call. */
export function isGranted(tool: string, intent: Intent, grants: Iterable<string>): boolean {
  const granted = new Set(grants)
  const wanted = grantFor(tool, intent)
  if (wanted === undefined) return false
  if (granted.has(wanted)) return true
  if (intent.command !== undefined || intent.risk !== 'read') return false
  for (let folder = intent.folder; folder !== dirname(folder); folder = dirname(folder)) {
    if (granted.has(`read in ${JSON.stringify(folder)}`)) return true
  }
  return false
}
