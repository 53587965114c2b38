import { countOf } from '../../ui/format.ts'

export const originNames = {
  builtin: 'Built in',
  user: 'Yours',
  agent: 'Learned',
  imported: 'Imported',
  project: 'Project',
  folder: 'Folder',
}

/** Who changed a skill. */
export const actorNames = { you: 'You', agent: 'The agent', review: 'A review', import: 'An import' }

/** What a revision did to a skill. */
export const revisionVerbs = {
  create: 'wrote it',
  edit: 'changed it',
  delete: 'deleted it',
  restore: 'restored it',
  import: 'imported it',
  reset: 'went back to the original',
  enable: 'switched it on',
  disable: 'switched it off',
}

export const NO_DESCRIPTION = 'No description.'
export const SCRIPT_HINT = 'The agent can only run it as a command, which needs your approval like any other.'

/** Label of a collapsed part of a diff. */
export const unchangedLines = (count: number): string => countOf(count, 'unchanged line', 'unchanged lines')
