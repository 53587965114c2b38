const NAMES: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
  pi: 'Pi',
}

/** The display name of a program with an agent; an unknown program is shown by its id. */
export const nameAgent = (agent: string): string => (Object.hasOwn(NAMES, agent) ? NAMES[agent]! : agent)

/** The source of something learned from another program: “Claude Code, folder /home/ada/shop”. */
export const tellSource = ({ agent, folder }: { agent: string; folder: string }): string =>
  folder === '' ? nameAgent(agent) : `${nameAgent(agent)}, folder ${folder}`

/**
 * The name under which the scripts of a program with a key, but without our plugin, report events: “My
 * script” becomes `my-script`. Empty if no character of the name is usable; then the program cannot report
 * events.
 */
export const handoverName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '')
