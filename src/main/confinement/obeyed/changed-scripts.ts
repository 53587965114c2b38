/** Fields of a package.json by which programs run something: scripts, and what hooks of git run. */
const RUN_BY_HOOKS = ['husky', 'lint-staged', 'simple-git-hooks', 'pre-commit', 'lefthook'] as const
const MOST_NAMED = 3

/**
 * Who runs something else after a package.json became another, as in “`npm test`”; undefined where no script changed, as when only
 * a version did. A text that is no JSON counts as one without scripts, and undefined as no file.
 */
export function whoRunsChanged(before: string | undefined, after: string | undefined): string | undefined {
  const [was, is] = [packageOf(before), packageOf(after)]
  const scripts = changedNames(was['scripts'], is['scripts'])
  const isHookChanged = RUN_BY_HOOKS.some(name => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
  if (scripts.length === 0) return isHookChanged ? 'git hooks' : undefined
  const commands = [...new Set(scripts.map(commandOf))]
  if (commands.length > MOST_NAMED) return '`npm run`'
  return joinWords(commands)
}

/** The names whose scripts are not the same, in order. */
function changedNames(was: unknown, is: unknown): string[] {
  const [before, after] = [recordOf(was), recordOf(is)]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}

/** Npm runs these without being told their name. */
const OWN = /^(pre|post)?(install|publish|pack|version)$|^prepare$|^prepublishOnly$/

const joinWords = (words: readonly string[]) =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter(part => part !== '').join(' and ')

function commandOf(script: string): string {
  if (OWN.test(script))
    return script === 'prepare' ? '`npm install`' : `\`npm ${script.replace(/^(pre|post)/, '')}\``
  const name = script.replace(/^(pre|post)(?=test$|start$|stop$|restart$)/, '')
  return /^(test|start|stop|restart)$/.test(name)
    ? `\`npm ${name}\``
    : `\`npm run ${name.replaceAll('`', '')}\``
}

function packageOf(text: string | undefined): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(text?.replace(/^\uFEFF/, '') ?? '{}'))
  } catch {
    return {}
  }
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
