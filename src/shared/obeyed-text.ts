import type { Approval } from './contract/run.ts'

/**
 * What a command on a card may change of the files that programs obey, as a sentence; undefined if nothing. Also for questions that
 * an older version stored.
 */
export function tellMayObey({
  obeyed,
  gitConfig = false,
}: NonNullable<Approval['command']>): string | undefined {
  const may = obeyed ?? (gitConfig ? 'git' : 'nothing')
  if (may === 'nothing') return undefined
  return may === 'git'
    ? 'It may change what git obeys in this folder: settings and hooks, which decide what git runs later.'
    : 'It may change what git, editors and agents obey in this folder without being asked.'
}
