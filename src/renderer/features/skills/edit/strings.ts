import { formatCount } from '../../../ui/format.ts'

const many = (count: number, one: string, several: string) =>
  `${formatCount(count)} ${count === 1 ? one : several}`

/** Every sentence of the editor of skills. */
export const editText = {
  newTitle: 'New skill',
  title: (name: string) => `Edit “${name}”`,
  loading: 'Opening…',
  failed: (why: string) => `It could not be opened. ${why}`,
  again: 'Try again',
  close: 'Close',
  save: 'Save',
  saving: 'Saving…',
  saved: 'Saved.',
  unsaved: 'not saved',
  allSaved: 'saved',
  tokens: (count: number) => many(count, 'token', 'tokens'),
  tokensHint: 'What a model reads when it loads this skill',

  copyTitle: 'This is an original.',
  copyOf: {
    builtin: 'It ships with Talaria, and is not changed itself.',
    imported: 'It was imported, and is not changed itself, so that updates go on to fit.',
  },
  copySays: 'Saving makes an edited copy that is used instead. You can go back to the original at any time.',
  kept: 'What you had not saved is back.',
  keptDrop: 'Throw it away',

  file: 'File',
  fileUnsaved: (path: string) => `${path} (not saved)`,
  newFile: 'New file…',
  isScript:
    'This is a script. A chat can run it in the terminal, with the approvals that the terminal asks for.',
  notText: 'This file is no text, or too long to be edited here.',
  fileFailed: (why: string) => `The file could not be read. ${why}`,
  text: (path: string) => `Text of ${path}`,
  keys: (save: string) => `${save} saves. Tab leaves the text.`,

  add: {
    title: 'New file',
    folder: 'Folder',
    folders: {
      references: 'references – read by the model when it needs them',
      templates: 'templates – texts to start from',
      scripts: 'scripts – programs to run',
      assets: 'assets – everything else',
    },
    name: 'Name of the file',
    hint: 'Letters, digits, dots, hyphens and underscores, such as checklist.md',
    wrong: 'Use letters, digits, dots, hyphens and underscores, and begin with a letter or a digit.',
    there: 'There is a file of that name already.',
    add: 'Add it',
    cancel: 'Cancel',
  },

  form: {
    legend: 'About this skill',
    name: 'Name',
    nameHint: 'Small letters, digits and hyphens',
    nameFixed: 'It is also the name of its folder. Duplicate the skill to give it another.',
    nameWrong: (folder: string) => `Its folder is called ${folder}, and the name must be the same.`,
    category: 'Category',
    categoryHint: 'A folder such as writing; may stay empty',
    description: 'Description',
    descriptionHint:
      'What it does and when to use it. This is all that a model sees before it loads the skill.',
    counter: (count: number, most: number) => `${formatCount(count)} of ${formatCount(most)} characters`,
    over: (count: number) => `${many(count, 'character', 'characters')} too many`,
    tags: 'Tags',
    tagsHint: 'Separated by commas',
    requires: 'Needed tools',
    requiresHint:
      'Sets of tools, separated by commas, such as files, terminal. Without them the skill is not offered.',
    platforms: 'Only on',
    platformsHint: 'None chosen: everywhere',
    platformNames: { linux: 'Linux', macos: 'macOS', windows: 'Windows' } as Record<string, string>,
    licence: 'Licence',
    licenceHint: 'Such as MIT; may stay empty',
    failed: (why: string) => `The text could not be changed to fit this form. ${why}`,
  },

  issues: {
    title: 'Form',
    list: 'What the check says',
    none: 'Nothing to complain about.',
    failed: (why: string) => `It could not be checked. ${why}`,
    line: (line: number) => `Line ${line}`,
    whole: 'All of it',
    levels: { error: 'Error', warning: 'Warning', info: 'Hint' },
    counts: (errors: number, warnings: number) =>
      [errors > 0 && many(errors, 'error', 'errors'), warnings > 0 && many(warnings, 'warning', 'warnings')]
        .filter(Boolean)
        .join(', '),
  },

  refused: {
    title: (path: string) => `${path} was not saved.`,
    clean: 'The scan finds nothing in it any more. Save again.',
    anyway: 'Save anyway…',
    sure: 'Save it although it looks dangerous? Do so only if you wrote every word of it yourself, or understand each finding above. A model does what a skill says.',
    yes: 'Yes, save it anyway',
    no: 'No, go on editing',
    close: 'Dismiss',
  },

  conflict: {
    title: (path: string) => `${path} was changed meanwhile.`,
    says: 'The agent, another window or another program has written to it. What stands struck out is theirs, what is underlined is yours.',
    gone: (path: string) => `${path} was removed meanwhile.`,
    goneSays: 'The agent, another window or another program has taken it away.',
    side: 'What is shown',
    diff: 'Their version and yours',
    theirs: 'Their version',
    mine: 'Your version',
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
    letGo: 'Let it go',
  },

  leave: {
    title: 'Leave without saving?',
    says: (files: readonly string[]) => `Not saved: ${files.join(', ')}.`,
    save: 'Save and leave',
    drop: 'Throw away',
    stay: 'Go on editing',
  },

  sameLines: (count: number) => (count === 1 ? '1 line the same' : `${formatCount(count)} lines the same`),
  added: 'New file',
  removed: 'Removed',
} as const
