import type { SkillCandidate } from '../../../../shared/contract/skill-imports.ts'
import { formatBytes, formatCount } from '../../../ui/format.ts'

const many = (count: number, one: string, several: string) =>
  `${formatCount(count)} ${count === 1 ? one : several}`
const skills = (count: number) => many(count, 'skill', 'skills')

/** Every sentence of the import of skills. */
export const importText = {
  title: 'Import skills',
  close: 'Close',
  cancel: 'Cancel',

  explains:
    'Skills that others wrote, in the form of agentskills.io. They are fetched to a place apart and looked at first; nothing is installed before you have seen it.',
  how: 'Where they come from',
  ways: { path: 'This computer', git: 'Git address', text: 'Pasted text' },
  path: 'Folder, zip or SKILL.md',
  pathPlaceholder: '/home/you/Downloads/skills.zip',
  pathHint: 'The whole path. A folder may hold one skill or many.',
  git: 'Address of the repository',
  gitPlaceholder: 'https://example.org/someone/skills.git',
  gitHint: 'It is fetched over the network, once, and the commit is written down.',
  ref: 'Branch, tag or commit',
  refHint: 'May stay empty',
  text: 'Text of a SKILL.md',
  textHint: 'With its front matter: name and description between two lines of hyphens.',
  look: 'Look at it',

  drop: 'Drop a folder, a zip or a SKILL.md here',
  sameLines: (count: number) => (count === 1 ? '1 line the same' : `${formatCount(count)} lines the same`),
  dropLimit: (bytes: number, files: number) =>
    `At most ${formatBytes(bytes)} and ${formatCount(files)} files. For more, use the path above.`,
  chooseFolder: 'Choose a folder…',
  chooseFile: 'Choose a file…',
  dropHere: 'Drop to look at the skills in it',
  reading: 'Reading…',
  tooLarge: (bytes: number, most: number) =>
    `It has ${formatBytes(bytes)}, and at most ${formatBytes(most)} can be taken this way. Use its path on this computer.`,
  tooMany: (most: number) =>
    `It has more than ${formatCount(most)} files. Choose a folder in it, or use its path on this computer.`,
  nothingDropped: 'There was no file in it.',
  unreadable: (name: string) => `“${name}” could not be read.`,
  several: (count: number) => many(count, 'file', 'files'),

  fetching: (what: string) => `Fetching ${what}`,
  fetchingText: 'Looking at the text',
  fetchingHint: 'It is put apart, and every file is looked at before you are asked.',
  noSkills: 'There is no skill in it.',

  found: (count: number) => `${skills(count)} found`,
  from: 'From',
  commit: 'at commit',
  leftOut: (count: number) => `Left out: ${formatCount(count)}`,
  filter: 'Find by name or description',
  onlyFound: (count: number) => `With findings (${formatCount(count)})`,
  all: 'Select all',
  none: 'Select none',
  list: 'Skills to import',
  noneShown: 'None fits.',
  another: 'Choose another',
  install: (count: number) => (count === 0 ? 'Install' : `Install ${skills(count)}`),
  installing: 'Installing…',
  wrongNames: (count: number) => `${skills(count)} cannot be called that.`,
  showWrong: 'Show',

  row: {
    select: (name: string) => `Import “${name}”`,
    on: 'on',
    off: 'off',
    scripts: (count: number) => many(count, 'script', 'scripts'),
    replaces: 'replaces one',
    exists: 'name taken',
    issues: (count: number) => many(count, 'remark', 'remarks'),
    refused: 'cannot be installed',
    verdicts: { safe: 'nothing found', caution: 'look at it', dangerous: 'dangerous' },
  },

  detail: {
    noDescription: 'It has no description.',
    licence: 'Licence',
    noLicence: 'none named',
    within: 'Lies in',
    files: 'Files',
    text: (path: string) => `Text of ${path}`,
    notText: 'This file is no text, or too long to be shown.',
    script: 'script',
    changed: 'changed',
    scan: 'Security scan',
    verdicts: {
      safe: 'Nothing suspicious was found.',
      caution: 'Some places deserve a look.',
      dangerous: 'Dangerous places were found. It stays off, and no model gets it, until you accept it.',
    },
    form: 'Form',
    line: (line: number) => `line ${formatCount(line)}`,
    changes: 'What would change',
    noChanges: 'It is the same as the one that is there.',
    binary: 'No text; it would be replaced.',
    diff: (path: string) => `Changes of ${path}`,
    added: 'new',
    removed: 'goes away',
  },

  clash: {
    label: (name: string) => `There is a skill called “${name}” already`,
    replace: {
      imported: 'Replace it',
      edited: 'Replace the original below your edited copy',
      builtin: 'Use it in place of the one that ships with Talaria',
      own: 'Put it below the one that is there',
    },
    hint: {
      imported: 'The one that is there stays in the history, and comes back when you undo the import.',
      edited: 'Your edited copy stays as it is, and goes on to be used.',
      builtin: 'That one stays, and is used again when you remove this one.',
      own: 'The one that is there goes on to be used under this name.',
    },
    both: 'Keep both, under another name',
    skip: 'Do not import it',
    name: 'Name',
    nameWrong: 'Use small letters, digits and single hyphens, at most 64.',
    nameTaken: 'Another skill has this name.',
  },

  on: {
    label: 'On at once',
    on: 'Every chat can use it as soon as it is installed.',
    forced: 'You switch it on in spite of what is said above.',
    why: ({ files, scan }: SkillCandidate) => {
      const reasons = [
        files.some(file => file.kind === 'script') && 'it has scripts',
        scan.verdict !== 'safe' && 'the scan found something',
      ].filter(Boolean)
      return reasons.length === 0
        ? 'It stays off, as the one that is there.'
        : `It stays off at first, because ${reasons.join(' and ')}.`
    },
  },

  done: (count: number) => `${skills(count)} installed`,
  doneCounts: (on: number, off: number) =>
    [on > 0 && `${formatCount(on)} on`, off > 0 && `${formatCount(off)} off`].filter(Boolean).join(', '),
  offHint: 'What is off can be switched on in the list, once you have looked at it.',
  installed: 'Installed skills',
  open: (name: string) => `Open “${name}”`,
  undo: 'Undo the import',
  undoing: 'Undoing…',
  undone: 'The import was undone.',
  more: 'Import more',

  update: {
    title: (name: string) => (name === '' ? 'Check for updates' : `Update of “${name}”`),
    looking: 'Looking at where it came from…',
    none: 'There is nothing new where it came from.',
    again: 'Look again',
    install: 'Install the update',
    done: 'Updated.',
    undo: 'Undo',
  },
} as const
