import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { NO_EDITOR, noEditorAt } from './no-editor.ts'
import type { Confinement } from './profile.ts'

/** Variables that give access to programs outside: agents, desktops, containers, and Windows from WSL. */
const OUTSIDE =
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_.*|XDG_RUNTIME_DIR|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DOCKER_HOST|CONTAINER_HOST|WSL.*|BASH_ENV|ENV|LD_PRELOAD|LD_LIBRARY_PATH|PROMPT_COMMAND|VSCODE_.*|GIT_ASKPASS|SSH_ASKPASS)$/
/** The few variables that reading commands need. */
const KEPT_IN_LOOK = /^(PATH|LANG|LANGUAGE|LC_\w+|TZ|USER|LOGNAME|TERM|PAGER|GIT_PAGER|GIT_TERMINAL_PROMPT)$/

/** Needed because the folder of the chat is a mount, where git would stop looking for a repository above. */
const ACROSS_MOUNTS = { GIT_DISCOVERY_ACROSS_FILESYSTEM: '1' }

/** The cache of npm, below the folder of all caches. */
export const npmCacheIn = (caches: string): string => `${caches}/npm`

/** Build the environment of a confined command. `temporary` is its private folder for temporary files. */
export function confinedEnvironment(
  confinement: Confinement,
  {
    userHome,
    caches,
    gitConfig,
    noEditor,
    temporary,
    git,
  }: Record<'userHome' | 'caches' | 'gitConfig' | 'noEditor' | 'temporary', string> & {
    /** Variables for *Look* that keep git from starting programs. */
    git: Readonly<Record<string, string>>
  },
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const clean = Object.entries(cleanEnvironment(env)).filter(([name]) => !OUTSIDE.test(name))
  if (confinement.profile === 'look') {
    const kept = clean.filter(([name]) => KEPT_IN_LOOK.test(name))
    return {
      ...Object.fromEntries(kept),
      ...noEditorAt(noEditor),
      HOME: userHome,
      TMPDIR: temporary,
      ...ACROSS_MOUNTS,
      ...git,
    }
  }
  return {
    ...Object.fromEntries(clean),
    ...noEditorAt(noEditor),
    HOME: userHome,
    TMPDIR: temporary,
    GIT_CONFIG_GLOBAL: gitConfig,
    ...ACROSS_MOUNTS,
    XDG_CACHE_HOME: caches,
    npm_config_cache: npmCacheIn(caches),
    YARN_CACHE_FOLDER: `${caches}/yarn`,
    PIP_CACHE_DIR: `${caches}/pip`,
    UV_CACHE_DIR: `${caches}/uv`,
    CARGO_HOME: `${caches}/cargo`,
    GOCACHE: `${caches}/go-build`,
    GOMODCACHE: `${caches}/go-mod`,
    GRADLE_USER_HOME: `${caches}/gradle`,
  }
}

/** Git settings of the user that name no program and no secret. */
const HARMLESS =
  /^(user\.(name|email)|init\.defaultbranch|core\.(autocrlf|eol|safecrlf|quotepath|ignorecase|precomposeunicode|whitespace|abbrev)|color\.\w+(\.\w+)?|diff\.(algorithm|renames|mnemonicprefix|colormoved|context)|merge\.(conflictstyle|ff)|pull\.(rebase|ff)|push\.(default|autosetupremote)|rebase\.(autostash|autosquash)|rerere\.enabled|fetch\.prune|log\.(date|decorate|follow)|branch\.sort|tag\.sort|column\.\w+|commit\.(verbose|cleanup)|help\.autocorrect|i18n\.\w+|advice\.\w+|safe\.directory)$/

/** Build a git configuration for *Work*: the user's identity and harmless settings, without secrets. */
export async function harmlessGitConfig(list: () => Promise<string> = listGlobalConfig): Promise<string> {
  const entries = (await list()).split('\0').filter(entry => entry.includes('\n'))
  const lines = entries.flatMap(entry => {
    const at = entry.indexOf('\n')
    const [key, value] = [entry.slice(0, at), entry.slice(at + 1)]
    if (!HARMLESS.test(key) || value.length > 500) return []
    const dot = key.lastIndexOf('.')
    const [section = '', ...rest] = key.slice(0, dot).split('.')
    const name = rest.length > 0 ? `${section} ${quoted(rest.join('.'))}` : section
    return [`[${name}]`, `\t${key.slice(dot + 1)} = ${quoted(value)}`]
  })
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

const quoted = (text: string) =>
  `"${text
    .replace(/["\\]/g, '\\$&')
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)}"`

async function listGlobalConfig(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', ['config', '--global', '--includes', '--list', '-z'])
    return stdout
  } catch {
    // Git or its configuration is missing, so there is nothing to copy.
    return ''
  }
}

/** Names of variables that hold keys, tokens or passwords. */
const SECRET_NAME =
  /TOKEN(?!IZ)|SECRET|PASSW|PASSPHRASE|CREDENTIAL|API_?KEY|(^|_)(KEY|KEYS|PASS|PWD|PAT|AUTH|COOKIE)(_ID)?(_|$)/i
/** Values that are secrets under any name: known key prefixes, and URLs with a password. */
const SECRET_VALUE =
  /^(sk-|sk_live_|rk_live_|gh[opsur]_|github_pat_|glpat-|xox[abprs]-|hf_|AKIA|ASIA|AIza|npm_|pypi-|-----BEGIN )|^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i
/** Variables to keep although their names match: ssh agent socket, working folder, proxies. */
const KEPT = /^(SSH_AUTH_SOCK|PWD|OLDPWD|(https?|all|no)_proxy)$/i
/** Variables that would make a child process act as part of Talaria. */
const OURS = /^(ELECTRON|TALARIA)_/

/** Build the environment for a command: that of this process without secrets, marked as non-interactive. */
export function cleanEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const isKept = ([name, value = '']: [string, string | undefined]) =>
    KEPT.test(name) || !(SECRET_NAME.test(name) || SECRET_VALUE.test(value) || OURS.test(name))
  return {
    ...Object.fromEntries(Object.entries(env).filter(isKept)),
    TERM: 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    ...NO_EDITOR,
  }
}
