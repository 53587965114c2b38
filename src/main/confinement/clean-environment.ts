/** Names of variables that hold keys, tokens or passwords. */
const SECRET_NAME =
  /TOKEN(?!IZ)|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|(^|_)(KEY|KEYS|PASS|PWD|PAT|AUTH|COOKIE)(_ID)?(_|$)/i
/** Values that are secrets under any name: known key prefixes, and URLs with a password. */
const SECRET_VALUE =
  /^(sk-|sk_live_|rk_live_|gh[opsur]_|github_pat_|glpat-|xox[abprs]-|hf_|AKIA|ASIA|AIza|npm_|pypi-|-----BEGIN )|^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i
/** Variables to keep although their name matches: ssh agent socket, working folder, proxies. */
const KEPT = /^(SSH_AUTH_SOCK|PWD|OLDPWD|(https?|all|no)_proxy)$/i
/** Variables that would make a child process act as part of Talaria. */
const OURS = /^(ELECTRON|TALARIA)_/

/** The environment for a command: the one of this process without secrets, and marked as non-interactive. */
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
