import { Fault } from '../../shared/rpc.ts'

/** How another program starts the server: with absolute paths and these variables. */
type Started = { command: string; args: readonly string[]; env: Record<string, string> }

type Client = {
  title: string
  /** Where the printed entry belongs. */
  place: string
  write(started: Started): string
}

const json = (value: unknown) => JSON.stringify(value, null, 2)
/** The format that most programs share. */
const shared = (started: Started) => json({ mcpServers: { talaria: started } })
const quoted = (text: string) => JSON.stringify(text)

const goose = ({ command, args, env }: Started) =>
  [
    'extensions:',
    '  talaria:',
    '    enabled: true',
    '    type: stdio',
    '    name: talaria',
    `    cmd: ${quoted(command)}`,
    `    args: ${JSON.stringify(args)}`,
    `    envs: ${JSON.stringify(env)}`,
    '    timeout: 60',
  ].join('\n')

const hermes = ({ command, args, env }: Started) =>
  [
    'mcp_servers:',
    '  talaria:',
    `    command: ${quoted(command)}`,
    `    args: ${JSON.stringify(args)}`,
    `    env: ${JSON.stringify(env)}`,
  ].join('\n')

// TOML's basic strings use the escapes of JSON.
const codex = ({ command, args, env }: Started) =>
  [
    '[mcp_servers.talaria]',
    `command = ${quoted(command)}`,
    `args = [${args.map(quoted).join(', ')}]`,
    '',
    '[mcp_servers.talaria.env]',
    ...Object.entries(env).map(([name, value]) => `${name} = ${quoted(value)}`),
  ].join('\n')

const CLIENTS: Readonly<Record<string, Client>> = {
  claude: {
    title: 'Claude Code',
    place: '.mcp.json of a folder, or “mcpServers” of ~/.claude.json',
    write: shared,
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    place: 'claude_desktop_config.json',
    write: shared,
  },
  vscode: {
    title: 'VS Code',
    place: '.vscode/mcp.json, or the user’s mcp.json',
    write: started => json({ servers: { talaria: { type: 'stdio', ...started } } }),
  },
  cursor: { title: 'Cursor', place: '~/.cursor/mcp.json', write: shared },
  lmstudio: { title: 'LM Studio', place: 'mcp.json', write: shared },
  pi: {
    title: 'Pi',
    place: '~/.pi/agent/mcp.json',
    write: started => json({ mcpServers: { talaria: { ...started, exposure: 'direct' } } }),
  },
  opencode: {
    title: 'opencode',
    place: 'opencode.json',
    write: ({ command, args, env }) =>
      json({ mcp: { talaria: { type: 'local', command: [command, ...args], environment: env } } }),
  },
  gemini: { title: 'Gemini CLI', place: '~/.gemini/settings.json', write: shared },
  codex: { title: 'Codex', place: '~/.codex/config.toml', write: codex },
  goose: { title: 'goose', place: '~/.config/goose/config.yaml', write: goose },
  hermes: { title: 'Hermes Agent', place: '~/.hermes/config.yaml', write: hermes },
  other: { title: 'Another program', place: 'its list of MCP servers', write: shared },
}

const CLIENT_NAMES: readonly string[] = Object.keys(CLIENTS)

/** Return the program with this name. */
export function findClient(name: string): Client {
  const found = Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined
  if (!found) throw new Fault('bad_input', `There is no “${name}”. There is: ${CLIENT_NAMES.join(', ')}.`)
  return found
}
