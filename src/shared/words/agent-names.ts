const NAMES: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
  pi: 'Pi',
}

/** The name of a program with an agent, as people call it; an unknown one is called by its id. */
export const nameAgent = (agent: string): string => (Object.hasOwn(NAMES, agent) ? NAMES[agent]! : agent)

/** Where something was learned that was said in another program: “Claude Code, folder /home/ada/shop”. */
export const tellSource = ({ agent, folder }: { agent: string; folder: string }): string =>
  folder === '' ? nameAgent(agent) : `${nameAgent(agent)}, folder ${folder}`

/**
 * How a program that has a key and no plugin of ours is called by its scripts, in the folder of their events: “My script” hands over as
 * `my-script`. Empty when nothing in its name can stand there; then it hands over nothing.
 */
export const handoverName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '')
