import type { ParsedShell } from '../shell-types.ts'

/**
 * Variables that make a program start another one, load a library, read other files or ask another computer:
 * `LESSOPEN`, `PAGER`, `GIT_…`, `BASH_ENV`, `PERL5OPT`, `PYTHONSTARTUP`, `NODE_OPTIONS`, `LD_PRELOAD`,
 * proxies …
 */
const STEERING = String.raw`(?:PATH|CDPATH|HOME|ENV|BASH_\w+|BASHOPTS|SHELL|SHELLOPTS|PROMPT_COMMAND|PS[0-4]|LD_\w+|DYLD_\w+|GLIBC_\w+|MALLOC_\w+|GCONV_PATH|GETCONF_DIR|LOCPATH|NLSPATH|GIT_\w+|\w*PAGER|EDITOR|VISUAL|BROWSER|LESS\w*|MORE|MAN\w+|GROFF_\w+|BAT_\w+|FZF_\w+|ACK\w*|AG_\w+|GREP_OPTIONS|RIPGREP_\w+|\w+_OPTS|\w*OPTIONS|\w*FLAGS|TAPE|RSH|GZIP|BZIP2?|XZ_\w+|ZSTD_\w+|AWKPATH|AWKLIBPATH|MAGIC|BC_\w+|NODE_\w+|NPM_\w+|npm_\w+|YARN_\w+|PNPM_\w+|BUN_\w+|DENO_\w+|PYTHON\w*|PIP_\w+|UV_\w+|VIRTUAL_ENV|CONDA_\w+|PERL\w*|RUBY\w*|GEM_\w+|BUNDLE_\w+|PHP\w*|LUA\w*|JAVA_\w+|_JAVA_\w+|JDK_\w+|CLASSPATH|MAVEN_\w+|GRADLE_\w+|CARGO\w*|RUST\w*|GO[A-Z]+|CC|CXX|LD|MAKE\w*|CMAKE_\w+|DOCKER_\w+|KUBE\w+|AWS_\w+|SSL_\w+|OPENSSL_\w+|CURL_\w+|WGETRC|SSH_\w+|SUDO_\w+|DEBUGINFOD_\w+|TERMINFO\w*|TERMCAP|XDG_\w+|HOSTALIASES|LOCALDOMAIN|\w+_proxy|\w+_PROXY|INPUTRC|DOTNET_\w+|HOSTNAME)`
/** Settings of these variables that only prevent a pager or a lock. */
const HARMLESS = String.raw`(?:GIT_PAGER|PAGER)=cat\b|GIT_OPTIONAL_LOCKS=`
/** Variables that are safe to set for a command, because they only change how it prints. */
const PRINTING =
  /^(?:IFS|TZ|LANG|LANGUAGE|LC_\w+|COLUMNS|LINES|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR\w*|LS_COLORS|GREP_COLORS?|TIME_STYLE|BLOCK_SIZE|GIT_PAGER|PAGER|GIT_OPTIONAL_LOCKS|[a-z_]\w*)$/

const SET = new RegExp(
  String.raw`(?:^|[^\w$])(?!${HARMLESS})${STEERING}(?:\[[^\]]*\])?\+?=|\$\{${STEERING}:?=|\b(?:for|select)\s+${STEERING}\b`,
)
const NAMES = new RegExp(`^${STEERING}$`)
/** Builtins that set the variables named by their arguments. */
const SETTERS = /^(?:read|mapfile|readarray|getopts|printf)$/
/** An assignment before a command, such as `NAME=value command`. */
const GIVEN =
  /(?:^|[\s;&|("`])([A-Za-z_]\w*)\+?=(?:'[^']*'|"[^"]*"|\\.|[^\s;&|()"'`\\])*[ \t]+(?=[^\s;&|)#])/g

/** Whether a command line sets a variable that may make a program do more than it is called for. */
export function setsSteering(command: string, { commands }: ParsedShell): boolean {
  // The shell joins such lines before it splits words.
  const text = command.replaceAll('\\\n', '')
  return (
    SET.test(text) ||
    [...text.matchAll(GIVEN)].some(([, name = '']) => !PRINTING.test(name)) ||
    commands.some(({ name, args }) => SETTERS.test(name) && args.some(word => NAMES.test(word.text)))
  )
}
