import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import type { Connector, ConnectInput, Places } from './connector.ts'
import { addEntry, dropEntry, sharedFiles, writeEntry } from './entry-file.ts'
import { findProgram } from './run-program.ts'

/**
 * Pi reads every file in its extensions folder. `pi install` would work too, but it reformats the settings,
 * leaves an empty list behind on removal, and silently does nothing if they contain a comment (tried with
 * 1.6.0).
 */
const entryPaths = ({ user, env }: Places, { label }: ConnectInput): string[] => {
  const told = env['PI_CODING_AGENT_DIR']
  const folder = told ? resolve(told.replace(/^~(?=$|[/\\])/, () => user)) : join(user, '.pi', 'agent')
  return [label, `${label}-memory`].map(name => join(folder, 'extensions', `${name}.ts`))
}

const entryOf = ({ folder }: ConnectInput): string => {
  const script = JSON.stringify(pathToFileURL(join(folder, 'talaria.ts')).href)
  return writeEntry(
    'talaria connect pi --remove',
    `export default (pi: unknown) => import(${script}).then(it => it.default(pi)).catch(() => {})`,
  )
}

/** The connector for Pi (`@earendil-works/pi-coding-agent`). `pi -e FOLDER` tries its folder once. */
export const pi: Connector = {
  program: 'pi',
  title: 'Pi',
  find: async places => findProgram(places, 'pi'),
  files: given => [
    {
      name: 'package.json',
      text: `${JSON.stringify(
        {
          name: given.label,
          version: given.version,
          description: 'What Talaria remembers, and its skills, in Pi.',
          private: true,
          type: 'module',
          keywords: ['pi-package'],
          // The extension names the skills, because it checks which may be offered.
          pi: { extensions: ['./talaria.ts'] },
        },
        null,
        2,
      )}\n`,
    },
    { name: 'talaria.ts', text: readFileSync(resourcePath('connect/pi/talaria.ts'), 'utf8') },
    ...sharedFiles(given),
  ],
  edits: (places, given, read) => addEntry(entryPaths(places, given), entryOf(given), read),
  undo: (places, given, read) => dropEntry(entryPaths(places, given), entryOf(given), read),
  // Pi reads its folder at every start, and on /reload.
  commands: () => [],
  whenQuiet: 'In Pi, “pi config” shows whether its extension is switched on.',
}
