/** Names of variables that hold keys, tokens or passwords. */
const SECRET_NAME =
  /TOKEN(?!IZ)|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|(^|_)(KEY|KEYS|PASS|PWD|PAT|AUTH|COOKIE)(_ID)?(_|$)/i
/** Values that are secrets whatever they are called: known beginnings of keys, and addresses with a password in them. */
const SECRET_VALUE =
  /^(sk-|sk_live_|rk_live_|gh[opsur]_|github_pat_|glpat-|xox[abprs]-|hf_|AKIA|ASIA|AIza|npm_|pypi-|-----BEGIN )|^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i
/** No secrets, or what a command cannot do without: where the key agent listens, the current folder, the way out. */
const KEPT = /^(SSH_AUTH_SOCK|PWD|OLDPWD|(https?|all|no)_proxy)$/i
/** What would make a child behave like a part of this program. */
const OURS = /^(ELECTRON|TALARIA)_/

/** The environment of a command: that of this process without secrets, and with the news that there is no terminal. */
export function cleanEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const isKept = ([name, value = '']: [string, string | undefined]) =>
    KEPT.test(name) || !(SECRET_NAME.test(name) || SECRET_VALUE.test(value) || OURS.test(name))
  return {
    ...Object.fromEntries(Object.entries(env).filter(isKept)),
    TERM: 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
  }
}
