import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import type { Connector, ConnectInput, Places } from './connector.ts'
import { addEntry, dropEntry, sharedFiles, writeEntry } from './entry-file.ts'
import { findProgram } from './run-program.ts'

/**
 * opencode reads every file of `plugin` in its folder of settings. Our MCP server and skills are added by the plugin when opencode has
 * read its settings (its `config` hook), so `opencode.json`, wherever OPENCODE_CONFIG says it is, is never changed and holds no key.
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

/** opencode (`opencode-ai`). */
export const opencode: Connector = {
  program: 'opencode',
  title: 'opencode',
  find: async places => findProgram(places, 'opencode', ['.opencode/bin']),
  files: given => [
    // Without it, the script would be a module only by its looks.
    { name: 'package.json', text: `${JSON.stringify({ private: true, type: 'module' }, null, 2)}\n` },
    { name: 'talaria.js', text: readFileSync(resourcePath('connect/opencode/talaria.js'), 'utf8') },
    ...sharedFiles(given),
  ],
  edits: (places, given, read) => addEntry(entryPaths(places, given), entryOf(given), read),
  undo: (places, given, read) => dropEntry(entryPaths(places, given), entryOf(given), read),
  // opencode looks into its folder whenever it starts.
  commands: () => [],
  whenQuiet: 'opencode runs without plugins when it is started with --pure.',
}
