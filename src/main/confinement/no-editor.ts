/** A program that stands where an editor was asked for, below the folder for what confined commands need. */
export const NO_EDITOR_FILE = 'confinement/no-editor'

/** The variable that holds the script below, so that the names of editors in messages of programs stay short. */
const SCRIPT_NAME = 'TALARIA_NO_EDITOR'

const SAYS = 'There is no editor here, so nothing was edited.'
const FOR_TEXT =
  'Give the text with an option (git: -m or -F), or keep the text that is there with GIT_EDITOR=true before the command.'
const FOR_LIST =
  'To edit the list of a rebase, set GIT_SEQUENCE_EDITOR to a command that edits a file, such as \\"sed -i \'2s/^pick/squash/\'\\", or use commit --fixup and rebase -i --autosquash with GIT_SEQUENCE_EDITOR=true.'

/**
 * What runs in place of an editor: it says why there is none and fails. In git, an editor that the command itself sets counts
 * more: `git -c core.editor=…`, and the variables that stand behind `GIT_EDITOR`. One that a repository sets does not.
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

/** The text of that program, for who runs the name of an editor itself, without a shell or split at blanks. */
export const NO_EDITOR_PROGRAM = `#!/bin/sh\necho "${SAYS} ${FOR_TEXT}" >&2\nexit 1\n`

/** The name of an editor for a variable. Programs read it as a shell does. */
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

/** Variables with which no program opens an editor and waits for it: each attempt ends at once, with the reason. */
export const NO_EDITOR: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EDITORS.map(name => [name, editorFor('editor')])),
  GIT_EDITOR: editorFor('git'),
  GIT_SEQUENCE_EDITOR: editorFor('sequence'),
  // It splits the text at blanks and knows no quotes.
  SYSTEMD_EDITOR: 'false',
  [SCRIPT_NAME]: SCRIPT,
}

/** The same variables where a file with that program can be seen; a path with blanks would be split again. */
export const noEditorAt = (path: string): Readonly<Record<string, string>> =>
  /^[\w./+@-]+$/.test(path)
    ? Object.fromEntries([...EDITORS, 'SYSTEMD_EDITOR'].map(name => [name, path]))
    : {}
