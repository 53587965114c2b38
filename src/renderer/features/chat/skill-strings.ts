import type { SkillRevision } from '../../../shared/contract/skills.ts'
import { formatCount } from '../../ui/format.ts'

/** What a chip says of a change of a skill. */
const did: Partial<Record<SkillRevision['op'], string>> = {
  create: 'Skill created',
  edit: 'Skill changed',
  delete: 'Skill deleted',
  restore: 'Skill brought back',
  import: 'Skill imported',
  reset: 'Skill set back to its original',
}
const didTo = (op: SkillRevision['op']) => did[op] ?? did.edit!

/** What the chat says of skills. */
export const skillText = {
  menu: {
    label: 'Skills and commands',
    uses: (count: number) =>
      count === 0 ? '' : count === 1 ? 'used once' : `used ${formatCount(count)} times`,
    found: (count: number) =>
      `${count === 1 ? '1 entry' : `${formatCount(count)} entries`}. The arrows choose, Enter takes it, Esc closes the list.`,
    more: (count: number) => `${formatCount(count)} more. Write on to find them.`,
    noDescription: 'It does not say what it is for.',
  },
  sent: (name: string) => `The skill ${name} was sent along. Click to see it.`,
  changes: {
    label: 'Skills in this turn',
    used: (name: string) => `Used the skill ${name}`,
    usedTitle: (name: string) => `See the skill ${name}`,
    did: didTo,
    undone: 'Undone',
    colon: ': ',
    undo: 'Undo',
    redo: 'Redo',
    view: 'View',
    undoNamed: (op: SkillRevision['op'], name: string) => `Undo: ${didTo(op)}: ${name}`,
    redoNamed: (op: SkillRevision['op'], name: string) => `Redo: ${didTo(op)}: ${name}`,
    viewNamed: (name: string) => `View the skill ${name}`,
    whatChanged: (name: string, short: string) => `What changed in ${name}: ${short}`,
    lines: (added: number, removed: number) => `+${formatCount(added)} −${formatCount(removed)}`,
    files: (count: number) => `${formatCount(count)} files`,
    binary: 'This file is no text, so what changed in it cannot be shown.',
    sameLines: (count: number) => (count === 1 ? '1 line the same' : `${formatCount(count)} lines the same`),
    diff: (path: string) => `What changed in ${path}`,
    announce: (op: SkillRevision['op'], name: string) => `${didTo(op)}: ${name}`,
    announceUse: (name: string) => `Used the skill ${name}`,
  },
  make: {
    label: 'Make a skill of this',
    draft: (question: string) =>
      `Make a skill of what we did here: “${question}”. Write down when to use it and the steps that worked, so that you can do it again.`,
    off: 'The agent may not write skills at the moment.',
    open: 'Skills',
  },
} as const
