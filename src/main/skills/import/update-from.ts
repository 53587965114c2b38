import { isAbsolute } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import type { ImportFrom, LibrarySkill } from '../types.ts'

/** Where a new version of an imported skill is looked for. Throws a `bad_input` Fault when nothing says where. */
export function updateFrom({ skill }: LibrarySkill): { from: ImportFrom; within: string } {
  const { source } = skill
  if (!source) throw new Fault('bad_input', 'This skill was not imported; there is nothing to fetch it from.')
  const { kind, address, within } = source
  if (kind === 'git') return { from: { kind: 'git', address, ref: '' }, within }
  if (kind === 'text')
    throw new Fault('bad_input', 'This skill was pasted. Paste the new version to import it over this one.')
  if (!isAbsolute(address))
    throw new Fault(
      'bad_input',
      'This skill was dropped on the window. Drop the new version to import it over this one.',
    )
  return { from: { kind: 'path', path: address }, within }
}
