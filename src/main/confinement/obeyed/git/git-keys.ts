/**
 * Configuration keys with which no git command that only reads starts a program. An allow-list, because git
 * runs more with every version. Names are in lower case; `isHarmlessValue` checks the values.
 */
const HARMLESS_KEYS = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|compression|whitespace|trustctime|checkstat|protecthfs|protectntfs|longpaths|untrackedcache|preloadindex|commentchar|sharedrepository|fsmonitor|bigfilethreshold|sparsecheckout|sparsecheckoutcone|hidedotfiles|packedgitlimit)$/,
  /^remote\..+\.(url|pushurl|fetch|push|tagopt|prune|mirror|gh-resolved|skipdefaultupdate)$/,
  /^branch\..+\.(remote|merge|rebase|pushremote|description|vscode-merge-base|github-pr-.*|gk-.*|base)$/,
  /^(user|author|committer)\.(name|email|signingkey)$/,
  /^(pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|init\.defaultbranch|fetch\.prune|merge\.(ff|conflictstyle)|rebase\.(autostash|autosquash)|rerere\.enabled|gc\.auto|commit\.gpgsign|tag\.gpgsign)$/,
  /^(color|advice|gui|column)\..+$/,
  /^(diff\.(algorithm|renames|mnemonicprefix|noprefix|context|colormoved)|log\.(date|decorate|follow|abbrevcommit)|status\.(short|branch|showuntrackedfiles)|branch\.sort|tag\.sort|i18n\.\w+)$/,
  /^(extensions\.(worktreeconfig|objectformat|refstorage|noop)|lfs\.repositoryformatversion|submodule\..+\.(url|active|branch)|submodule\.active)$/,
]
const FALSE = /^(false|no|off|0)$/i

/** Keys whose values name files that git only reads as text, or lists. They never lead to programs. */
const DATA_KEYS =
  /^(core\.excludesfile|commit\.template|commit\.cleanup|blame\.ignorerevsfile|diff\.orderfile|mailmap\.(file|blob)|format\..+|sendemail\.(?!.*(cmd|server)).*|safe\.directory|help\..+|url\..+|versionsort\..+|grep\..+|index\..+|pack\..+|feature\..+|maintenance\.(auto|repo|strategy)|submodule\..+\.(path|ignore|fetchrecursesubmodules))$/

/** Whether a key starts nothing, whatever its value. */
const isHarmlessKey = (key: string): boolean => HARMLESS_KEYS.some(pattern => pattern.test(key))

/** Whether the words of a key's value can never be programs, or files that decide about programs. */
export const isDataKey = (key: string): boolean =>
  DATA_KEYS.test(key) || (isHarmlessKey(key) && !/^core\.fsmonitor$|url$/.test(key))

/** Whether a setting starts nothing when git reads. */
export const isHarmlessSetting = (key: string, value: string): boolean =>
  isHarmlessKey(key) && isHarmlessValue(key, value)

function isHarmlessValue(key: string, value: string): boolean {
  if (/^core\.(fsmonitor|bare)$/.test(key)) return FALSE.test(value.trim())
  if (/^core\.protect(hfs|ntfs)$/.test(key)) return !FALSE.test(value.trim())
  // `ext::` runs a program. A branch may name an address instead of a remote.
  if (/(url|remote)$/.test(key) && /^\s*"?[\w.+-]+::/.test(value)) return false
  // Git prints addresses, and one with a password is a secret.
  if (key.endsWith('url')) return !/:\/\/[^/@]*:[^/@]*@/.test(value)
  return true
}

/** The first key that is not known to be harmless when git reads, or a line that cannot be parsed. */
export const firstOddKey = (
  text: string,
  isOwnWorktree: (path: string) => boolean = () => false,
): string | undefined =>
  firstOddSetting(
    text,
    (key, value) => (key === 'core.worktree' && isOwnWorktree(value.trim())) || isHarmlessSetting(key, value),
  )

/** The first setting that is not harmless, or a line that this parser, unlike git, cannot read. */
export function firstOddSetting(
  text: string,
  isHarmless: (key: string, value: string) => boolean,
): string | undefined {
  let section = ''
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (/^\s*([#;].*)?$/.test(line)) continue
    const head = /^\s*\[([A-Za-z][\w-]*)(?:\s+"([^"\\\r]*)")?\]\s*([#;].*)?$/.exec(line)
    if (head) {
      section = head[2] === undefined ? head[1]!.toLowerCase() : `${head[1]!.toLowerCase()}.${head[2]}`
      continue
    }
    const entry = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*([^\r]*))?$/.exec(line)
    const [, name, value = ''] = entry ?? []
    // Quotes, escapes and continued lines would need git's own parser.
    if (name === undefined || section === '' || /\\/.test(value)) return line.trim().slice(0, 60)
    const key = `${section}.${name.toLowerCase()}`
    if (!isHarmless(key, value)) return key
  }
  return undefined
}
