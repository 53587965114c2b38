/** Endings of backup copies: `~`, `.bak`, `.old`, `.swp`, `-1`, `.2024-01-31` … */
const BACKUP =
  /(?:~|-|[._-](?:bak|backup|old|orig|original|save|saved|copy|prev|rej|tmp|temp|sw[a-z]|dist-old|dpkg-\w+|rpm\w+|ucf-\w+|\d{1,14}|\d{4}-\d{2}-\d{2}(?:[t_-][\d:-]+)?))$/
/** Maximum length of a name in any file system. */
const LONGEST_NAME = 255
/** Maximum number of endings to remove one by one. */
const MOST_ENDINGS = 4

/** Settings of mail and network programs, which hold logins. */
const LOGIN_SETTINGS =
  /^[._]?(?:mail|nail|s-nail|mutt|neomutt|msmtp|esmtp|ssmtp|nullmailer|fetchmail|getmail|mpop|offlineimap|mbsync|isync|imapfilter|procmail|pine|alpine|slrn|tin|aerc|goobook|sendxmpp|irc|irssi|weechat|net|ftp|lftp|ncftp|wget|curl|aria2|smb|nmb|dav|davfs|cadaver|vpnc|rdesktop|s3|transmission|rtorrent|newsboat|ddclient|inadyn|pgpass|npm|yarn|pypi|gem|vault|twurl|tokens?|login)rc(?:\.(?:local|conf|json|ya?ml|toml))?$/

/** Hidden files whose name says that they are for logging in, but not `.author` and `.authors`. */
const HIDDEN_LOGIN =
  /^\.(?=.)(?:.*(?:auth(?!ors?(?![a-z])|ored|oring)|credential|passw|vault|keyring|login)|(?:[\w-]*[._-])?(?:creds?|secrets?|tokens?|pass|pgpass|apikeys?|api[_-]keys?)(?:[._-](?:json|ya?ml|toml|txt|ini|conf|env|db))?$)/

/** `pass`, `passwd`, `password` and their plurals as a word in a name. */
const PASSWORD_WORD = /(?:^|[^a-z\d])pass(?:wd|word|phrase)?s?(?![a-z\d])/
/** Another kind of pass, such as a second pass, and not a password. */
const OTHER_PASS =
  /(?:^|[^a-z\d])(?:first|second|third|last|final|next|one|two|single|multi|double|by|low|high|all|band|render|compiler|opt|test|tests?|boarding|season|must|did|does|will|not)[^a-z\d]pass(?:es)?(?![a-z\d])/

/** State files of Terraform, which contain every password that it has set. */
const STATE = /\.tfstate$/
/** Environments by name: `.env`, `.envrc`, `.env-prod`, `.env_local`, `.env2`. */
const ENVIRONMENT = /^\.env(?:rc)?(?:\d+|[._-].*)?$/
const EXAMPLE = /[._-](?:examples?|samples?|templates?|tmpl|tpl|dist|defaults?|schema)$/

/** Source code, documents and web files, which may be about passwords but rarely contain one. */
const ORDINARY =
  /\.(?:[cm]?[jt]sx?|pyi?|ipynb|rb|erb|go|rs|java|kts?|scala|groovy|gradle|clj[cs]?|cs|fs|vb|c|cc|cpp|cxx|h|hh|hpp|m|mm|swift|dart|php|phtml|pl|pm|lua|r|jl|hs|elm|exs?|erl|ml|mli|nim|zig|v|sol|sh|bash|zsh|fish|ps1|bat|cmd|sql|proto|graphql|gql|html?|css|s[ac]ss|less|vue|svelte|astro|hbs|ejs|haml|pug|jinja2?|j2|twig|mustache|liquid|tmpl|tpl|tf|hcl|bzl|cmake|mk|mdx?|rst|adoc|org|tex|pdf|po|pot|mo|arb|strings|resx|xlf|xliff|svg|png|jpe?g|gif|webp|ico|avif|mp[34]|webm|wav|woff2?|ttf|otf|wasm|map|snap|feature|diff|patch|log|lock|baseline)$/

/**
 * Whether the name of a file suggests logins or keys, although it is not a known credential file: settings of
 * mail and network programs, names of passwords, environments, state of Terraform, and backups of these.
 * Source code and documents do not count. `isKnown` tests the name without backup endings. The name is in
 * lower case.
 */
export function looksLikeKeys(name: string, isKnown: (name: string) => boolean): boolean {
  if (name.length > LONGEST_NAME) return false
  let bare = name.startsWith('#') && name.endsWith('#') ? name.slice(1, -1) : name.replace(/^\.#/, '')
  for (let left = MOST_ENDINGS; left >= 0; left--) {
    if (hasShape(bare) || (bare !== name && isKnown(bare))) return true
    const shorter = bare.replace(BACKUP, '')
    if (shorter === bare || shorter === '') return false
    bare = shorter
  }
  return false
}

function hasShape(name: string): boolean {
  if (ORDINARY.test(name)) return false
  if (STATE.test(name) || LOGIN_SETTINGS.test(name)) return true
  if (ENVIRONMENT.test(name)) return !EXAMPLE.test(name)
  if (EXAMPLE.test(name)) return false
  return (
    HIDDEN_LOGIN.test(name) ||
    (PASSWORD_WORD.test(name) && !OTHER_PASS.test(name) && !name.startsWith('readme'))
  )
}
