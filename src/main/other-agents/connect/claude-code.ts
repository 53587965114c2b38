import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import type { Connector, ConnectInput, Places } from './connector.ts'
import { readFromJson } from './edit-json.ts'
import { findProgram } from './run-program.ts'

// Claude Code takes a folder as a marketplace of plugins and reads the plugin in it in place, so that skills that change are there in
// the next session. Its own command writes its settings. Tried with 2.1.330.

/** Events of Claude Code at which it starts our script, with the seconds it may take. Seldom does it take a tenth of one. */
const EVENTS: Readonly<Record<string, number>> = {
  SessionStart: 10,
  UserPromptSubmit: 10,
  PostToolBatch: 10,
  PostToolUseFailure: 10,
  // Not in the background: of runs without a terminal such events got lost.
  Stop: 10,
  StopFailure: 10,
  SessionEnd: 10,
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const PLUGIN = 'talaria'
const ABOUT = 'What Talaria remembers, your skills, and learning from your sessions.'

const settingsOf = ({ user, env }: Places): string =>
  join(env['CLAUDE_CONFIG_DIR'] || join(user, '.claude'), 'settings.json')
const idOf = ({ label }: ConnectInput) => `${label}@${label}`

/** Talaria inside Claude Code, as a plugin of a local folder. */
export const claudeCode: Connector = {
  program: 'claude-code',
  title: 'Claude Code',
  whenQuiet:
    'If you used it since, its hooks may be off: “disableAllHooks” in its settings, or it was started with --bare.',
  find: async places => findProgram(places, 'claude', ['.claude/local', '.claude/bin']),
  files(given) {
    const { label, launch, version, skills } = given
    const plugin = (name: string) => `${PLUGIN}/${name}`
    return [
      {
        name: '.claude-plugin/marketplace.json',
        text: json({
          name: label,
          description: 'Made by Talaria on this computer.',
          owner: { name: 'Talaria' },
          plugins: [{ name: label, source: `./${PLUGIN}`, description: ABOUT }],
        }),
      },
      {
        name: plugin('.claude-plugin/plugin.json'),
        text: json({ name: label, version, description: ABOUT, author: { name: 'Talaria' }, license: 'MIT' }),
      },
      { name: plugin('README.md'), text: readme(given) },
      { name: plugin('hooks/hooks.json'), text: json({ hooks: hooksOf(given) }) },
      { name: plugin('hook.mjs'), text: readFileSync(resourcePath('connect/claude-code/hook.mjs'), 'utf8') },
      {
        name: plugin('.mcp.json'),
        text: json({
          mcpServers: { [label]: { ...launch, args: [...launch.args], env: { ...launch.env } } },
        }),
      },
      ...skills.flatMap(skill =>
        skill.files.map(({ name, text }) => ({ name: plugin(`skills/${skill.name}/${name}`), text })),
      ),
    ]
  },
  edits: async () => [],
  undo: async () => [],
  touched: places => [settingsOf(places)],
  async missing(places, given, read) {
    const settings = await read(settingsOf(places))
    if (readFromJson(settings, ['enabledPlugins', idOf(given)]) === true) return undefined
    return 'Claude Code does not have the plugin, or it is switched off there. Connect it again, or type the commands.'
  },
  commands(given, what) {
    const { folder, label } = given
    return what === 'connect'
      ? [
          ['claude', 'plugin', 'marketplace', 'add', folder],
          ['claude', 'plugin', 'install', idOf(given)],
        ]
      : [
          ['claude', 'plugin', 'uninstall', idOf(given)],
          ['claude', 'plugin', 'marketplace', 'remove', label],
        ]
  },
}

/** Sessions that are open there go on with the hooks of a connection that was removed: a script that is gone is no failure. */
const START =
  'import(require("node:url").pathToFileURL(process.argv[1]).href).catch(() => process.stdin.resume())'

/**
 * What Node is started with at an event.
 * @internal The bench starts it so.
 */
export const hookArguments = (script: string, snapshot: string): string[] => ['-e', START, script, snapshot]

/** The script is named by its place under our home: of a copy that Claude Code keeps, nobody would know which home it is for. */
function hooksOf({ folder, snapshot, node }: ConnectInput) {
  const args = hookArguments(join(folder, PLUGIN, 'hook.mjs'), snapshot)
  return Object.fromEntries(
    Object.entries(EVENTS).map(([event, timeout]) => [
      event,
      [{ hooks: [{ type: 'command', command: node, args, timeout }] }],
    ]),
  )
}

const readme = ({ folder }: ConnectInput) => `# Talaria

Talaria made this plugin on this computer; changes of these files are overwritten. It puts what you let Talaria share before the model when
a session starts, offers your skills and a server that searches your memory, and hands over what happened in sessions, so that Talaria can
learn from them. What it may is decided in the window of Talaria: Connections, Agents. Until you allow something there it does nothing.

It needs no network. The script at its events is \`hook.mjs\`; what it reads is \`${join(folder, 'snapshot.json')}\`.
Take it out with \`talaria connect claude-code --remove\`.
`
