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
