import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import type { Connector, ConnectInput, Places } from './connector.ts'
import { addEntry, dropEntry, sharedFiles, writeEntry } from './entry-file.ts'
import { findProgram } from './run-program.ts'

/**
 * opencode reads every file in the `plugin` folder of its settings. The plugin adds our MCP server and skills
 * in its `config` hook. So `opencode.json`, wherever OPENCODE_CONFIG puts it, is never changed and holds no
 * key.
 */
const entryPaths = ({ user, env }: Places, { label }: ConnectInput): string[] => {
  const folder = join(env['XDG_CONFIG_HOME'] || join(user, '.config'), 'opencode', 'plugin')
  return [label, `${label}-memory`].map(name => join(folder, `${name}.js`))
}

const entryOf = ({ folder }: ConnectInput): string => {
  const script = JSON.stringify(pathToFileURL(join(folder, 'talaria.js')).href)
  return writeEntry(
    'talaria connect opencode --remove',
    `export const Talaria = input => import(${script}).then(it => it.Talaria(input)).catch(() => ({}))`,
  )
}

/** The connector for opencode (`opencode-ai`). */
export const opencode: Connector = {
  program: 'opencode',
  title: 'opencode',
  find: async places => findProgram(places, 'opencode', ['.opencode/bin']),
  files: given => [
    // Without this, opencode would only guess from its syntax that the script is a module.
    { name: 'package.json', text: `${JSON.stringify({ private: true, type: 'module' }, null, 2)}\n` },
    { name: 'talaria.js', text: readFileSync(resourcePath('connect/opencode/talaria.js'), 'utf8') },
    ...sharedFiles(given),
  ],
  edits: (places, given, read) => addEntry(entryPaths(places, given), entryOf(given), read),
  undo: (places, given, read) => dropEntry(entryPaths(places, given), entryOf(given), read),
  // opencode reads its folder at every start.
  commands: () => [],
  whenQuiet: 'opencode runs without plugins when it is started with --pure.',
}
