import { basename } from 'node:path'
import { looksLikeKeys } from './key-names.ts'

/** Files with keys and passwords, as patterns for a lower-case path with forward slashes. */
const CREDENTIALS: readonly RegExp[] = [
  // Private keys in any folder; public keys are allowed.
  /(^|\/)id_(rsa|dsa|ecdsa|ecdsa_sk|ed25519|ed25519_sk)([.~_-][^/]*)?(?<!\.pub)$/,
  /\.(pem|key|p12|pfx|pkcs12|jks|keystore|kdbx?|ppk|p8)([.~_-](bak|old|orig|save|copy|backup|\d+|swp|tmp)|~)?$/,
  // The history of shells and databases often contains passwords.
  /(^|\/)\.(\w+_history|zhistory|history|lesshst|viminfo)([.~_-][^/]*)?$/,
  /(^|\/)\.(ssh|gnupg|password-store|gpg)(\/|$)/,
  // Logins of command-line tools.
  /(^|\/)\.(netrc|_netrc|pgpass|my\.cnf|npmrc|yarnrc|yarnrc\.yml|pypirc|git-credentials|vault-token|htpasswd|s3cfg|boto|terraformrc)$/,
  /(^|\/)_netrc$/,
  /(^|\/)\.aws\/(credentials|config|sso(\/|$)|cli\/cache)/,
  /(^|\/)\.azure(\/|$)/,
  /(^|\/)\.kube\/(config|cache)/,
  /(^|\/)\.docker\/config\.json$/,
  /(^|\/)\.(config|local\/share)\/(gcloud|gh|glab-cli|hub|doctl|rclone|op|1password|keyrings|helm\/registry|containers\/auth\.json|git\/credentials|huggingface)(\/|$)/,
  /(^|\/)\.(cargo\/credentials(\.toml)?|gem\/credentials|composer\/auth\.json|terraform\.d\/credentials[^/]*|cache\/huggingface\/token|huggingface\/token|m2\/settings\.xml|gradle\/gradle\.properties)$/,
  /(^|\/)application_default_credentials\.json$/,
  /(^|\/)(client_secret|service[-_]?account)[^/]*\.json$/,
  // System accounts.
  /^\/(private\/)?etc\/(shadow|gshadow|master\.passwd|sudoers|sudoers\.d\/.*|ssh\/ssh_host_[^/]*_key|krb5\.keytab)-?$/,
  /(^|\/)library\/(keychains|cookies)(\/|$)/,
  // Profiles of browsers and mail programs, with cookies, passwords and messages.
  /(^|\/)\.(mozilla|thunderbird|librewolf)(\/|$)/,
  /(^|\/)(\.config|library\/application support|appdata\/(local|roaming))\/(google|google-chrome|chromium|bravesoftware|microsoft\/edge|microsoft-edge|vivaldi|opera|firefox|mozilla|thunderbird|microsoft\/(credentials|protect|crypto))([-/]|$)/,
  /(^|\/)(wallet\.dat|keystore\/utc--[^/]*)$/,
]

/** Project settings that often contain keys, but that users sometimes want read or changed. */
const ENVIRONMENT = /(^|\/)\.env(rc)?(\.(?!example$|sample$|template$|dist$|defaults?$)[^/]*)?$/

const shape = (path: string) => path.replaceAll('\\', '/').toLowerCase()

/** Whether a path is closed to all tools: keys, logins, browser profiles. Case is ignored. */
export function isCredential(path: string): boolean {
  const shaped = shape(path)
  return CREDENTIALS.some(pattern => pattern.test(shaped))
}

/**
 * Whether a path may contain keys or passwords, by its name: a project's `.env`, logins of programs, names of
 * passwords, and backups of these. These are not closed like credentials, because editing them is ordinary
 * work. Reading them always needs approval, searches skip them, and *Look* hides them.
 */
export const mayHoldKeys = (path: string): boolean => {
  const lower = shape(path)
  return ENVIRONMENT.test(lower) || looksLikeKeys(basename(lower), isCredential)
}

/** Whether a path is a project's `.env`. */
export const isEnvironmentFile = (path: string): boolean => ENVIRONMENT.test(shape(path))

/** The reason why a tool refuses a credential, as text that the model passes on. */
export const credentialReason = (path: string): string =>
  `${basename(path)} holds keys or passwords, so tools never open it. Ask the user for what you need.`
