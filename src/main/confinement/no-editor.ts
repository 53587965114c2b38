/** The program that runs in place of an editor, relative to the folder for confined commands. */
export const NO_EDITOR_FILE = 'confinement/no-editor'

/** The variable that holds the script below, which keeps editor names in error messages short. */
const SCRIPT_NAME = 'TALARIA_NO_EDITOR'

const SAYS = 'There is no editor here, so nothing was edited.'
const FOR_TEXT =
  'Give the text with an option (git: -m or -F), or keep the text that is there with GIT_EDITOR=true before the command.'
const FOR_LIST =
  'To edit the list of a rebase, set GIT_SEQUENCE_EDITOR to a command that edits a file, such as \\"sed -i \'2s/^pick/squash/\'\\", or use commit --fixup and rebase -i --autosquash with GIT_SEQUENCE_EDITOR=true.'

/**
 * The script that runs in place of an editor: it says why there is none and fails. For git, it runs an editor
 * that the command itself sets, with `git -c core.editor=…` or a variable that `GIT_EDITOR` overrides. An
 * editor set by the repository does not run.
 */
const SCRIPT = `
of_command() { git config --show-scope --get "$1" 2>/dev/null | sed -n 's/^command[[:space:]]*//p'; }
own() { case $1 in ''|*${SCRIPT_NAME}*|*/${NO_EDITOR_FILE}) return 1;; esac; editor=$1; }
editor=
case $0 in
  git) own "$(of_command core.editor)" || own "$VISUAL" || own "$EDITOR";;
  sequence) own "$(of_command sequence.editor)" || own "$GIT_EDITOR" || own "$(of_command core.editor)" || own "$VISUAL" || own "$EDITOR";;
esac
if [ -n "$editor" ]; then eval "$editor \\"\\$@\\""; exit; fi
case $0 in
  sequence) echo "${SAYS} ${FOR_LIST}" >&2;;
  *) echo "${SAYS} ${FOR_TEXT}" >&2;;
esac
exit 1`

/** The same as a program file, for callers that use no shell or split the editor's name at blanks. */
export const NO_EDITOR_PROGRAM = `#!/bin/sh\necho "${SAYS} ${FOR_TEXT}" >&2\nexit 1\n`

/** The value of an editor variable. Programs pass it to a shell. */
const editorFor = (who: 'git' | 'sequence' | 'editor') => `sh -c 'eval "$${SCRIPT_NAME}"' ${who}`

/** Variables that name the editor of some program. */
const EDITORS = [
  'EDITOR',
  'VISUAL',
  'FCEDIT',
  'GH_EDITOR',
  'GLAB_EDITOR',
  'HGEDITOR',
  'KUBE_EDITOR',
  'SUDO_EDITOR',
  'SVN_EDITOR',
  'BZR_EDITOR',
  'JJ_EDITOR',
  'CVSEDITOR',
  'P4EDITOR',
]

/** Variables that keep programs from opening an editor and waiting: each attempt fails with the reason. */
export const NO_EDITOR: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EDITORS.map(name => [name, editorFor('editor')])),
  GIT_EDITOR: editorFor('git'),
  GIT_SEQUENCE_EDITOR: editorFor('sequence'),
  // systemd splits the value at blanks and knows no quotes.
  SYSTEMD_EDITOR: 'false',
  [SCRIPT_NAME]: SCRIPT,
}

/** The variables that use the program file instead; empty if its path would be split or quoted. */
export const noEditorAt = (path: string): Readonly<Record<string, string>> =>
  /^[\w./+@-]+$/.test(path)
    ? Object.fromEntries([...EDITORS, 'SYSTEMD_EDITOR'].map(name => [name, path]))
    : {}
