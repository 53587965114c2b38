import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { resourcePath } from '../../lib/shipped-files.ts'
import type { Connector, ConnectInput, Places } from './connector.ts'
import { addEntry, dropEntry, sharedFiles, writeEntry } from './entry-file.ts'
import { findProgram } from './find-program.ts'

/**
 * opencode reads every file of `plugin` in its folder of settings. Our MCP server and skills are added by the plugin when opencode has
 * read its settings (its `config` hook), so `opencode.json`, wherever OPENCODE_CONFIG says it is, is never changed and holds no key.
 */
const entryPath = ({ user, env }: Places, { label }: ConnectInput): string =>
  join(env['XDG_CONFIG_HOME'] || join(user, '.config'), 'opencode', 'plugin', `${label}.js`)

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
  find: ({ env, user }) =>
    findProgram('opencode', env['PATH'], [join(user, '.opencode', 'bin'), join(user, '.local', 'bin')]),
  files: given => [
    // Without it, the script would be a module only by its looks.
    { name: 'package.json', text: `${JSON.stringify({ private: true, type: 'module' }, null, 2)}\n` },
    { name: 'talaria.js', text: readFileSync(resourcePath('connect/opencode/talaria.js'), 'utf8') },
    ...sharedFiles(given),
  ],
  edits: (places, given, read) => addEntry(entryPath(places, given), entryOf(given), read),
  undo: (places, given, read) => dropEntry(entryPath(places, given), entryOf(given), read),
  // opencode looks into its folder whenever it starts.
  commands: () => [],
}
